
// sheetButtons prints the sheet, and saves it as a page of its own.
function sheetButtons() {
  const print = byId("sheet-print"), sheet = document.querySelector("#sheet .sheet");
  if (!print) return;
  print.hidden = outer !== null; // a frame of another page does not print
  print.addEventListener("click", () => window.print());
  byId("sheet-save").addEventListener("click", () => {
    const style = `@page { size: A4; margin: 10mm 12mm; }\nbody { margin: 0; background: #fff; }\n${byId("sheet-style").textContent}`;
    const page = make("html", { lang: "en" }, make("head", {}, make("meta", { charset: "utf-8" }), make("title", {}, document.title), make("style", {}, style)), make("body", {}, sheet.cloneNode(true)));
    saveText("sheet.html", `<!DOCTYPE html>\n${page.outerHTML}`, "text/html");
  });
}
