/// The style of all pages. Colors come in a light and a dark set; outcomes differ by pattern too, not by color alone.
enum HTMLStyle {
    static let text = """
        :root {
          color-scheme: light dark;
          --page: light-dark(#f6f6f4, #131416); --card: light-dark(#ffffff, #1c1e21); --ink: light-dark(#1b1c1e, #e8e9eb);
          --soft: light-dark(#5b5f66, #a2a7af); --line: light-dark(#dcdcd8, #33363b); --code: light-dark(#f1f1ee, #26292d);
          --focus: light-dark(#1f6feb, #6aa8ff); --link: light-dark(#0b57c4, #8ab8ff);
          --columns: .6rem 5.5rem minmax(0, 5fr) minmax(5rem, 2fr) 8rem;
        }
        .skipped, .run { --own: light-dark(#8b9097, #868c95); }
        .bad, .warning, .failed, .pending, .broken {
          --own: light-dark(#cf3a3a, #e5605c); --own-ink: light-dark(#a12323, #f59a95); --own-tint: light-dark(#fbe4e2, #43191a);
        }
        .flaky, mark, .flaked, .recovered, .unknown, .needed, .run i {
          --own: light-dark(#d98a00, #e3a02b); --own-ink: light-dark(#8a5200, #f0bd63); --own-tint: light-dark(#fdf1d9, #3a2d12);
        }
        .good, .passed, .notSeen, .ran {
          --own: light-dark(#2f9e5b, #3fb571); --own-ink: light-dark(#1d6b3c, #7ad6a0); --own-tint: light-dark(#e2f4e8, #15331f);
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--page); color: var(--ink);
          overflow-wrap: anywhere; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
        }
        h1 { margin: 0; font-size: 1.8rem; line-height: 1.25; letter-spacing: -.01em; color: var(--own-ink, var(--ink)); }
        h2 { margin: 2rem 0 0; font-size: 1.15rem; }
        h3 { margin: 0; font-size: 1rem; }
        p { margin: .25rem 0; }
        .soft { color: var(--soft); }
        code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
        :focus-visible, li:target { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
        a { color: var(--link); }
        .warning { margin: .75rem 0; padding: .6rem .9rem; border-radius: 8px; background: var(--own-tint); color: var(--own-ink); }
        .copy {
          padding: .15rem .6rem; font: inherit; font-size: .85rem; color: var(--ink); background: var(--card);
          border: 1px solid var(--soft); border-radius: 8px; white-space: nowrap; cursor: pointer;
        }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
        .legend li { display: flex; align-items: center; gap: .4rem; color: var(--soft); font-size: .87rem; }
        .group { margin: 1rem 0 0; }
        .group > p { margin: 0 0 .5rem; }
        .mark {
          padding: .1rem .55rem; border: 1px solid var(--line); border-radius: 99px; color: var(--soft); font-size: .8rem;
          font-weight: 400; white-space: nowrap;
        }
        .tests { margin: 0; padding: 0; list-style: none; }
        .tests > li {
          margin: 0 0 .4rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
          display: block; /* list items are numbered, which is slow for 5,000 */
        }
        .rest { margin: .4rem 0 0; }
        .rest > summary { display: inline-block; padding: .2rem .6rem; border-radius: 8px; color: var(--link); cursor: pointer; }
        .rest[open] > summary { margin-bottom: .4rem; }
        .tests summary::-webkit-details-marker { display: none; }
        .tests > li > details > summary {
          display: grid; grid-template-columns: var(--columns); gap: .25rem 1rem; align-items: center; padding: .55rem 1rem;
          cursor: pointer; list-style: none; border-radius: 10px;
        }
        .tests > li > details > summary::before { content: "▸"; color: var(--soft); }
        .tests > li > details[open] > summary::before { content: "▾"; }
        .tests summary:hover { background: var(--code); }
        .badge {
          justify-self: start; padding: .1rem .55rem; border-radius: 99px; font-size: .8rem; font-weight: 650;
          white-space: nowrap; background: var(--own-tint, var(--code)); color: var(--own-ink, var(--soft));
        }
        .names { margin: .25rem 0 .75rem; padding: 0 0 0 1.1rem; font-weight: 600; }
        .name { font-size: 1rem; font-weight: 650; }
        .why { display: block; color: var(--soft); }
        [data-outcome] .why:not(.strong) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
        .why.strong { color: var(--ink); }
        .time { justify-self: end; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
        .strip { display: flex; gap: 2px; height: 1.1rem; overflow: hidden; }
        .block { flex: 0 1 auto; min-width: 5px; height: 100%; border: 1px solid var(--own); border-radius: 3px; background: var(--own); }
        .strip, .run { forced-color-adjust: none; print-color-adjust: exact; }
        .block.flaked { background: repeating-linear-gradient(135deg, var(--own) 0 4px, var(--own-tint) 4px 6px); }
        .block.skipped { background: none; }
        .again { display: flex; align-items: center; gap: .6rem; margin: .5rem 0; }
        .again code { padding: .3rem .5rem; background: var(--code); border-radius: 6px; }
        .more { padding: 0 1rem 1rem; border-top: 1px solid var(--line); }
        .more dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: .8rem 0; }
        .more dt { color: var(--soft); }
        .more dd { min-width: 0; margin: 0; }
        .attempts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem; }
        .attempt { min-width: 0; margin: .6rem 0 0; padding-left: .9rem; border-left: 4px solid var(--own); }
        pre {
          margin: .4rem 0 .2rem; padding: .6rem .8rem; max-height: 24rem; overflow: auto; background: var(--code);
          border-radius: 8px; white-space: pre-wrap;
        }
        .source { white-space: pre; }
        mark { display: inline-block; min-width: 100%; background: var(--own-tint); color: var(--ink); white-space: pre-wrap; }
        table { width: 100%; min-width: 40rem; border-collapse: collapse; background: var(--card); }
        th, td { padding: .5rem .75rem; border: 1px solid var(--line); text-align: left; }
        th { color: var(--soft); font-weight: 600; overflow-wrap: normal; }
        .wide { margin: .5rem 0 0; overflow-x: auto; }
        .tiles { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
        .tiles li {
          flex: 1 1 9rem; padding: .7rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
          color: var(--soft); font-size: .87rem;
        }
        .tiles b { display: block; color: var(--own-ink, var(--ink)); font-size: 1.15rem; font-weight: 650; }
        .removed .name { color: var(--soft); font-weight: 400; }
        .removed .runs { opacity: .5; }
        .axis { display: grid; gap: .25rem 1rem; grid-template-columns: var(--columns); padding: 0 1rem; }
        .axis span {
          grid-column: 4; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .5rem; color: var(--soft);
          font-size: .8rem;
        }
        .runs { display: flex; align-items: end; gap: 1px; height: 1.6rem; }
        .run {
          display: inline-flex; flex: 1 1 0; align-items: end; min-width: 1px; max-width: 1rem; height: 100%;
          border-bottom: 2px dotted var(--own);
        }
        .run.ran { border-bottom-style: solid; }
        .run i { display: block; width: 100%; background: var(--own); border-radius: 2px 2px 0 0; }
        .legend .run { flex: none; width: .8rem; height: 1rem; }
        @media (max-width: 44rem) {
          body { padding: 1.25rem .75rem 3rem; }
          .tests > li > details > summary { grid-template-columns: auto minmax(0, 1fr) auto; padding: .6rem .75rem; }
          summary .test, summary .strip, summary .runs, .axis span { grid-column: 1 / -1; }
          summary .test { grid-row: 2; }
          .strip:empty { display: none; }
          summary .time { grid-row: 1; grid-column: 3; }
          .more { padding: 0 .75rem .75rem; }
          .again { align-items: start; flex-direction: column; }
          .more dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
          .axis { grid-template-columns: minmax(0, 1fr); padding: 0 .75rem; }
          .tiles { gap: .5rem; }
          .tiles li { flex: 1 1 40%; padding: .4rem .7rem; }
        }
        """
}
