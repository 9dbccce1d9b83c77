
// themeButton cycles through the colours: system default, light, dark.
function themeButton(button, changed = () => {}) {
  const themes = ["auto", "light", "dark"];
  let at = 0;
  button.addEventListener("click", () => {
    at = (at + 1) % themes.length;
    document.documentElement.dataset.theme = themes[at];
    button.textContent = `Colours: ${themes[at]}`;
    changed(themes[at]);
  });
}
