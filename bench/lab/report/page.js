// Tables sort by a click on a heading, or Enter on it; the page reads as well without this script.
(() => {
  const figure = (cell) => (cell.dataset.v === undefined ? null : cell.dataset.v === "" ? NaN : Number(cell.dataset.v));
  const compare = (a, b) => {
    const [x, y] = [figure(a), figure(b)];
    if (x === null || y === null) return a.textContent.localeCompare(b.textContent);
    // Rows without that figure stay last in both directions.
    return Number.isNaN(x) ? (Number.isNaN(y) ? 0 : Infinity) : Number.isNaN(y) ? -Infinity : x - y;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.tabIndex = 0;
      const sort = () => {
        const down = head.getAttribute("aria-sort") === "ascending" || (head.matches(".ratio") && !head.hasAttribute("aria-sort"));
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows].sort((a, b) => {
          const order = compare(a.cells[column], b.cells[column]);
          return Number.isFinite(order) && down ? -order : order;
        });
        body.append(...rows);
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          sort();
        }
      });
    });
  }
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
  };
  addEventListener("hashchange", open);
  open();
  // Paper has no folds.
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details:not([open])")) fold.open = true;
  });
})();
