/// What the page does beyond being read: it filters, and unfolds all for printing. Without scripts, all else works.
enum HTMLScript {
    static let text = """
        (() => {
          const input = document.querySelector("#filter");
          const count = document.querySelector("#count");
          const rows = [...document.querySelectorAll(".tests > li")];
          if (input) {
            const texts = rows.map((row) => row.textContent.toLowerCase());
            const show = () => {
              const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
              let shown = 0;
              rows.forEach((row, index) => {
                const matches = words.every((word) => texts[index].includes(word));
                row.hidden = !matches;
                if (matches) shown += 1;
              });
              count.textContent = words.length ? `${shown} of ${rows.length} shown` : "";
            };
            input.closest(".filter").hidden = false;
            input.addEventListener("input", show);
            document.addEventListener("keydown", (event) => {
              if (event.key === "/" && document.activeElement !== input) {
                event.preventDefault();
                input.focus();
              } else if (event.key === "Escape" && document.activeElement === input) {
                input.value = "";
                show();
              }
            });
            show();
          }
          let unfolded = [];
          addEventListener("beforeprint", () => {
            unfolded = [...document.querySelectorAll("details:not([open])")];
            unfolded.forEach((details) => { details.open = true; });
          });
          addEventListener("afterprint", () => {
            unfolded.forEach((details) => { details.open = false; });
          });
        })();
        """
}
