
// settle lets the report follow the page around it: its colours, and the height of its content.
function settle() {
  if (!outer) return;
  document.documentElement.classList.add("framed");
  document.documentElement.dataset.theme = outer.theme;
  outer.port.onmessage = ({ data }) => { document.documentElement.dataset.theme = data.theme; };
  new ResizeObserver(() => tellOuter({ height: contentHeight() })).observe(document.body);
}
