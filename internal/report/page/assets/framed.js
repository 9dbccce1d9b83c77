
// settle lets the report follow the page around it, which may change its colours and open the editor, and tells it the height of
// the report.
function settle() {
  if (!outer) return;
  document.documentElement.classList.add("framed");
  document.documentElement.dataset.theme = outer.theme;
  outer.port.onmessage = ({ data: { theme, edit } }) => {
    if (theme) document.documentElement.dataset.theme = theme;
    if (edit) byId("tab-edit").click();
  };
  new ResizeObserver(() => tellOuter({ height: contentHeight() })).observe(document.body);
}
