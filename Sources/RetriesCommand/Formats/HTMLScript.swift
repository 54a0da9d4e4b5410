/// The script of a page: it searches, and copies commands. All else works without it.
enum HTMLScript {
    static let text = """
        (() => {
          const all = (selector, root = document) => [...root.querySelectorAll(selector)];
          const first = (selector, root = document) => root.querySelector(selector);

          for (const button of all(".copy")) button.hidden = false;
          document.addEventListener("click", async (event) => {
            const button = event.target.closest(".copy");
            if (!button) return;
            const code = button.parentElement.querySelector("code");
            try {
              await navigator.clipboard.writeText(code.textContent);
            } catch {
              getSelection().selectAllChildren(code);
              document.execCommand("copy");
            }
            button.textContent = "Copied";
            setTimeout(() => { button.textContent = "Copy"; }, 2000);
          });

          const tools = first(".tools");
          if (!tools) return;
          const { q, outcome } = tools.elements;
          const groups = all(".group").map((element) => ({ element, rows: all(".tests > li", element) }));
          const show = () => {
            const words = q.value.toLowerCase().split(/\\s+/).filter(Boolean);
            const isSearching = words.length > 0 || outcome.value !== "";
            let count = 0;
            for (const { element, rows } of groups) {
              const title = first("h2, h3", element).textContent;
              let found = 0;
              for (const row of rows) {
                row.text ??= `${title} ${row.textContent}`.toLowerCase();
                row.hidden = (outcome.value && row.dataset.outcome !== outcome.value)
                  || !words.every((word) => row.text.includes(word));
                if (!row.hidden) found += 1;
              }
              element.hidden = found === 0;
              count += found;
            }
            // During a search, folded rows are shown if they are found.
            document.body.classList.toggle("searching", isSearching);
            for (const rest of all("details.rest")) rest.open = isSearching;
            first("output", tools).textContent = isSearching ? `${count} found` : "";
          };
          tools.hidden = false;
          tools.addEventListener("input", show);
          tools.addEventListener("submit", (event) => event.preventDefault());
          tools.addEventListener("reset", () => setTimeout(show));
          if (q.value || outcome.value) show();
        })();
        """
}
