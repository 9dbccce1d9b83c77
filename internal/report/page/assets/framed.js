
// settle lets the report follow the page around it, which may change its colours and choose a tab, and tells it the height of
// the report.
function settle() {
  if (!outer) return;
  document.documentElement.classList.add("framed");
  document.documentElement.dataset.theme = outer.theme;
  outer.port.onmessage = ({ data: { theme, tab } }) => {
    if (theme) document.documentElement.dataset.theme = theme;
    if (tab) byId(`tab-${tab}`)?.click();
  };
  new ResizeObserver(() => tellOuter({ height: contentHeight() })).observe(document.body);
}
