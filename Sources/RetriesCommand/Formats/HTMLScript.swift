/// The script of a page: it filters and sorts, copies commands, updates ages, and unfolds everything for printing.
///
/// Without scripts, all else works.
enum HTMLScript {
    static let text = """
        (() => {
          const all = (selector, root = document) => [...root.querySelectorAll(selector)];
          const first = (selector, root = document) => root.querySelector(selector);

          for (const time of all("time[data-ago]")) {
            const age = Math.trunc((Date.now() - Date.parse(time.dateTime)) / 1000);
            const seconds = age > -60 ? Math.max(0, age) : -age;
            const [size, unit] = seconds < 60 ? [1, "s"] : seconds < 3600 ? [60, "min"]
              : seconds < 86400 ? [3600, "h"] : [86400, seconds < 172800 ? "day" : "days"];
            time.textContent = `${Math.floor(seconds / size)} ${unit} ${age > -60 ? "ago" : "in the future"}`;
          }

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

          let unfolded = [];
          addEventListener("beforeprint", () => {
            unfolded = all("details:not([open])");
            for (const details of unfolded) details.open = true;
          });
          addEventListener("afterprint", () => {
            for (const details of unfolded) details.open = false;
          });

          const tools = first(".tools");
          if (!tools) return;
          const groups = all(".group").map((element, order) => ({
            element, order, note: first("p", element), words: first("p", element).textContent,
            rows: all(".tests > li", element).map((element, order) => ({ element, order, data: element.dataset })),
          }));
          const rows = groups.flatMap((group) => group.rows);
          const fields = all("input, select", tools);
          const values = () => Object.fromEntries(fields.map((field) => [field.name, field.value]));

          const offer = (name, choices) => {
            const select = first(`[name=${name}]`, tools);
            for (const choice of [...new Set(choices)].filter(Boolean).sort()) {
              const text = choice.length > 60 ? choice.slice(0, 60) + "…" : choice;
              select.append(new Option(text, choice));
            }
            select.parentElement.hidden = select.options.length < 3;
          };
          offer("module", rows.map((row) => row.data.module));
          offer("reason", rows.map((row) => row.data.reason));

          const totals = all(".totals [data-outcome]").map((item) => {
            const button = document.createElement("button");
            button.type = "button";
            button.append(...item.childNodes);
            item.append(button);
            button.addEventListener("click", () => {
              const field = first("[name=outcome]", tools);
              field.value = field.value === item.dataset.outcome ? "" : item.dataset.outcome;
              apply();
            });
            return { button, outcome: item.dataset.outcome };
          });

          const place = (elements, parent, kind, limit) => {
            const lists = all(`:scope > ${kind}, :scope > .rest > ${kind}`, parent);
            const main = lists[0];
            let rest = first(":scope > .rest", parent);
            if (!rest) {
              rest = document.createElement("details");
              rest.className = "rest";
              rest.append(document.createElement("summary"), main.cloneNode(false));
              parent.append(rest);
            }
            main.replaceChildren(...elements.slice(0, limit));
            rest.lastElementChild.replaceChildren(...elements.slice(limit));
            rest.hidden = elements.length <= limit;
            rest.firstElementChild.textContent = `and ${elements.length - limit} more`;
          };

          const name = (row) => first(".name", row.element).textContent;
          const orders = {
            "": (a, b) => a.order - b.order,
            time: (a, b) => b.data.time - a.data.time || a.order - b.order,
            attempts: (a, b) => b.data.attempts - a.data.attempts || a.order - b.order,
            name: (a, b) => name(a).localeCompare(name(b)) || a.order - b.order,
          };

          const show = () => {
            const wanted = values();
            const words = wanted.q.toLowerCase().split(/\\s+/).filter(Boolean);
            const order = orders[wanted.sort] ?? orders[""];
            const matches = (row) => {
              if (wanted.outcome && row.data.outcome !== wanted.outcome) return false;
              if (wanted.mark && row.data.mark !== wanted.mark) return false;
              if (wanted.module && row.data.module !== wanted.module) return false;
              if (wanted.reason && row.data.reason !== wanted.reason) return false;
              if (!words.length) return true;
              row.text ??= (row.data.reason + " " + row.element.textContent).toLowerCase();
              return words.every((word) => row.text.includes(word));
            };
            let count = 0;
            const shown = [];
            for (const group of groups) {
              const found = group.rows.filter(matches).sort(order);
              if (!found.length) continue;
              count += found.length;
              const left = found.length < group.rows.length;
              group.note.textContent = group.words + (left ? `; ${found.length} of them shown` : "");
              place(found.map((row) => row.element), group.element, ".tests", \(HTMLPart.itemLimit));
              shown.push({ group, best: found[0] });
            }
            shown.sort((a, b) => (wanted.sort ? order(a.best, b.best) : 0) || a.group.order - b.group.order);
            place(shown.map((entry) => entry.group.element), first("#groups"), ".groups", \(HTMLPart.groupLimit));
            first("output", tools).textContent = `${count} of ${rows.length} shown`;
            for (const { button, outcome } of totals) button.setAttribute("aria-pressed", wanted.outcome === outcome);
          };

          const apply = () => {
            const kept = Object.entries(values()).filter(([, value]) => value);
            history.replaceState(null, "", kept.length ? "#" + new URLSearchParams(kept) : location.pathname + location.search);
            show();
          };
          const read = () => {
            const kept = new URLSearchParams(location.hash.slice(1));
            for (const field of fields) field.value = kept.get(field.name) ?? "";
            for (const field of fields) if (field.selectedIndex === -1) field.selectedIndex = 0;
            show();
          };

          tools.hidden = false;
          tools.addEventListener("input", apply);
          tools.addEventListener("submit", (event) => event.preventDefault());
          tools.addEventListener("reset", () => setTimeout(apply));
          addEventListener("hashchange", read);
          if (location.hash) read();
          else for (const { button } of totals) button.setAttribute("aria-pressed", false);
        })();
        """
}
