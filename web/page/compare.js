
// comparison shows two runs side by side.
function comparison(host) {
  return {
    clear() {
      host.replaceChildren();
    },
    async show(runs) {
      const result = await app.attempt("Comparing", () => app.call("compare", { runs }));
      if (!result) return;
      host.replaceChildren(...compared(runs, result));
      host.querySelector("h3").focus();
    },
  };
}

function compared([a, b], { rows, settings, rules, same_rows: sameRows, note }) {
  const head = (what) => make("thead", {}, make("tr", {}, make("th", { scope: "col" }, what), make("th", { scope: "col" }, a), make("th", { scope: "col" }, b)));
  const cell = (v, better) => make("td", { class: better ? "better" : false }, valueElement(shownValue(v)), better ? make("span", { class: "better-word" }, " better") : null);
  const rulesOf = (run, list) => make("div", {}, make("h4", {}, run), make("ol", { class: "provisional" }, ...list.map((rule) => make("li", {}, rule))));
  return [
    make("h3", { tabindex: -1 }, `${a} and ${b}`),
    make("p", { class: sameRows ? "note" : "warning" }, note || (sameRows ? "Errors are measured on the same rows." : "Errors are measured on different rows: compare them with care.")),
    make("div", { class: "wide", tabindex: 0 }, make("table", {}, head("Measure"), make("tbody", {}, ...rows.map((row) => make("tr", {},
      make("th", { scope: "row" }, row.what), cell(row.a, row.better === "a"), cell(row.b, row.better === "b")))))),
    settings.length
      ? make("details", { open: settings.length <= 8 }, make("summary", {}, `${counted(settings.length, "setting")} differ${settings.length === 1 ? "s" : ""}`), make("div", { class: "wide", tabindex: 0 }, make("table", {}, head("Setting"),
        make("tbody", {}, ...settings.map((s) => make("tr", {}, make("th", { scope: "row" }, s.key), cell(s.a), cell(s.b)))))))
      : make("p", {}, "Their settings are the same."),
    make("details", {}, make("summary", {}, "The rules of both"), make("div", { class: "sides" }, rulesOf(a, rules.a), rulesOf(b, rules.b))),
  ];
}

// mostText is the length of a value that is shown at once.
const mostText = 100;

// valueElement shows a value; a long one is shown when it is opened.
const valueElement = (text) => (text.length <= mostText ? text : make("details", {}, make("summary", {}, `${text.slice(0, 40)}…`), make("span", { class: "long" }, text)));

// shownValue formats a value of a comparison.
const shownValue = (v) => (v === null || v === undefined || v === "" ? "–" : typeof v === "number" ? (Number.isInteger(v) ? String(v) : figure(v)) : typeof v === "string" ? v : JSON.stringify(v));
