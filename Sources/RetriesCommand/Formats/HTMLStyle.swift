/// The style of all pages.
enum HTMLStyle {
    /// Colors come in a light and a dark set; outcomes differ by pattern too, not by color alone.
    static let text = """
        :root {
          color-scheme: light dark;
          --page: #f6f6f4; --card: #ffffff; --ink: #1b1c1e; --soft: #5b5f66; --line: #dcdcd8; --code: #f1f1ee;
          --flaked: #d98a00; --flaked-ink: #8a5200; --flaked-tint: #fdf1d9;
          --passed: #2f9e5b; --passed-ink: #1d6b3c; --passed-tint: #e2f4e8;
          --failed: #cf3a3a; --failed-ink: #a12323; --failed-tint: #fbe4e2;
          --skipped: #8b9097; --focus: #1f6feb; --link: #0b57c4;
          --columns: .6rem 5.5rem minmax(0, 5fr) minmax(5rem, 2fr) 8rem;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #131416; --card: #1c1e21; --ink: #e8e9eb; --soft: #a2a7af; --line: #33363b; --code: #26292d;
            --flaked: #e3a02b; --flaked-ink: #f0bd63; --flaked-tint: #3a2d12;
            --passed: #3fb571; --passed-ink: #7ad6a0; --passed-tint: #15331f;
            --failed: #e5605c; --failed-ink: #f59a95; --failed-tint: #43191a;
            --skipped: #868c95; --focus: #6aa8ff; --link: #8ab8ff;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--page); color: var(--ink);
          overflow-wrap: anywhere; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
        }
        h1 { margin: 0; font-size: 1.8rem; line-height: 1.25; letter-spacing: -.01em; }
        h1.bad { color: var(--failed-ink); }
        h1.flaky { color: var(--flaked-ink); }
        h1.good { color: var(--passed-ink); }
        h2 { margin: 2rem 0 0; font-size: 1.15rem; }
        h3 { margin: 0; font-size: 1rem; }
        p { margin: .25rem 0; }
        .soft { color: var(--soft); }
        code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
        :focus-visible, li:target { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 6px; }
        a { color: var(--link); }
        button { font: inherit; color: inherit; white-space: nowrap; cursor: pointer; }
        .warning {
          margin: .75rem 0; padding: .6rem .9rem; border-radius: 8px; background: var(--failed-tint); color: var(--failed-ink);
        }
        .tools { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem .75rem; margin: 1.25rem 0 0; }
        .tools label { flex: 1 1 8rem; min-width: 0; color: var(--soft); font-size: .87rem; }
        .tools label:first-child { flex: 4 1 20rem; }
        .tools input, .tools select, .tools button, .copy {
          padding: .4rem .6rem; font: inherit; font-size: .95rem; color: var(--ink); background: var(--card);
          border: 1px solid var(--soft); border-radius: 8px;
        }
        .tools input, .tools select { display: block; width: 100%; }
        .tools input, .tools select, .tools button { height: 2.3rem; }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
        .legend li { display: flex; align-items: center; gap: .4rem; color: var(--soft); font-size: .87rem; }
        .group { margin: 1rem 0 0; }
        .group > p { margin: 0 0 .5rem; }
        section.flaky:not(:has(.group:not([hidden]))) { display: none; }
        .mark {
          padding: .1rem .55rem; border: 1px solid var(--line); border-radius: 99px; color: var(--soft); font-size: .8rem;
          font-weight: 400; white-space: nowrap;
        }
        .tests { margin: 0; padding: 0; list-style: none; }
        .tests > li {
          margin: 0 0 .4rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px;
          display: block; /* as list items they are numbered, and filtering 5,000 of them takes most of a minute */
        }
        .rest { margin: .4rem 0 0; }
        .rest > summary { display: inline-block; padding: .2rem .6rem; border-radius: 8px; color: var(--link); cursor: pointer; }
        .rest[open] > summary { margin-bottom: .4rem; }
        .searching .rest > summary { display: none; }
        [hidden], .searching .same, body:not(.searching) .same + .why { display: none !important; }
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
          white-space: nowrap; background: var(--flaked-tint); color: var(--flaked-ink);
        }
        .badge.failed, .badge.pending { background: var(--failed-tint); color: var(--failed-ink); }
        .badge.passed, .badge.notSeen { background: var(--passed-tint); color: var(--passed-ink); }
        .names { margin: .25rem 0 .75rem; padding: 0 0 0 1.1rem; font-weight: 600; }
        .name { font-size: 1rem; font-weight: 650; }
        .why { display: block; color: var(--soft); }
        [data-outcome] .why:not(.strong) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
        .why.strong { color: var(--ink); }
        .time { justify-self: end; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
        .strip { display: flex; gap: 2px; height: 1.1rem; overflow: hidden; }
        .block { display: inline-block; flex: 0 1 auto; min-width: 5px; height: 100%; border-radius: 3px; }
        .strip, .run { forced-color-adjust: none; print-color-adjust: exact; }
        .block.passed { background: var(--passed); }
        .block.failed { background: var(--failed); }
        .block.flaked {
          background: repeating-linear-gradient(135deg, var(--flaked) 0 4px, var(--flaked-tint) 4px 6px);
          border: 1px solid var(--flaked);
        }
        .block.skipped { border: 2px solid var(--skipped); }
        .again { display: flex; align-items: center; gap: .6rem; margin: .5rem 0; }
        .again code { padding: .3rem .5rem; background: var(--code); border-radius: 6px; }
        .copy { padding: .15rem .6rem; font-size: .85rem; }
        .more { padding: 0 1rem 1rem; border-top: 1px solid var(--line); }
        .more dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: .8rem 0; }
        .more dt { color: var(--soft); }
        .more dd { min-width: 0; margin: 0; }
        .attempts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1rem; }
        .attempt { min-width: 0; margin: .6rem 0 0; padding-left: .9rem; border-left: 4px solid var(--skipped); }
        .attempt.flaked { border-color: var(--flaked); }
        .attempt.passed { border-color: var(--passed); }
        .attempt.failed { border-color: var(--failed); }
        pre {
          margin: .4rem 0 .2rem; padding: .6rem .8rem; max-height: 24rem; overflow: auto; background: var(--code);
          border-radius: 8px; white-space: pre-wrap;
        }
        .source { white-space: pre; }
        mark { display: inline-block; min-width: 100%; background: var(--flaked-tint); color: var(--ink); white-space: pre-wrap; }
        table { width: 100%; min-width: 40rem; border-collapse: collapse; background: var(--card); }
        th, td { padding: .5rem .75rem; border: 1px solid var(--line); text-align: left; }
        th { color: var(--soft); font-weight: 600; overflow-wrap: normal; }
        .wide { margin: .5rem 0 0; overflow-x: auto; }
        @media (max-width: 44rem) {
          body { padding: 1.25rem .75rem 3rem; }
          .tests > li > details > summary { grid-template-columns: auto minmax(0, 1fr) auto; padding: .6rem .75rem; }
          summary .test, summary .strip { grid-column: 1 / -1; }
          summary .test { grid-row: 2; }
          .strip:empty { display: none; }
          summary .time { grid-row: 1; grid-column: 3; }
          .more { padding: 0 .75rem .75rem; }
          .again { align-items: start; flex-direction: column; }
          .more dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
        }
        """
}
