
// reportFrame returns a frame that shows reports. It is sandboxed and has an origin of its own: nothing in a report reaches this page
// but messages of the forms below. show(html) shows a report; trainOn(rules) is called with the text of rules.yaml when a reader of
// the report trains on.
function reportFrame(trainOn) {
  const frame = make("iframe", { src: "frame.html", title: "Report", sandbox: "allow-scripts allow-downloads", allow: "clipboard-write", referrerpolicy: "no-referrer" });
  const full = button("Full window", () => wide(true)), close = button("Close the full window", () => wide(false), { hidden: true });
  const box = make("div", { class: "report-frame", hidden: true }, make("div", { class: "report-bar" }, make("h3", {}, "Report"), full, close), frame);
  let report = null;
  const wide = (is) => {
    box.classList.toggle("full", is);
    full.hidden = is;
    close.hidden = !is;
    (is ? close : full).focus();
  };
  box.addEventListener("keydown", (event) => event.key === "Escape" && box.classList.contains("full") && wide(false));
  const control = new Promise((known) => {
    window.addEventListener("message", function take({ source, data }) {
      if (source !== frame.contentWindow || data?.kind !== "frame") return;
      window.removeEventListener("message", take);
      const { port1, port2 } = new MessageChannel();
      frame.contentWindow.postMessage({ kind: "page" }, "*", [port2]);
      known(port1);
    });
  });
  const take = ({ data }) => {
    if (typeof data !== "object" || data === null) return;
    if (Number.isFinite(data.height)) frame.style.height = `${Math.min(Math.max(data.height, 200), 1e5)}px`;
    if (data.drawn === true) frame.removeAttribute("aria-busy");
    if (typeof data.rules === "string") {
      wide(false);
      trainOn(data.rules);
    }
  };
  const theme = () => document.documentElement.dataset.theme ?? "auto";
  app.on("theme", () => report?.postMessage({ theme: theme() }));
  return {
    element: box,
    async show(html) {
      box.hidden = false;
      frame.setAttribute("aria-busy", "true");
      const port = await inTime(control, 10000, "This browser does not show the report in the page: download report.html instead.");
      report?.close();
      const { port1, port2 } = new MessageChannel();
      report = port1;
      report.onmessage = take;
      port.postMessage({ html, theme: theme() }, [port2]);
    },
    // open opens a tab of the report: edit, the editor of rules, or sheet.
    open(tab) {
      report?.postMessage({ tab });
      box.scrollIntoView({ block: "start" });
      frame.focus();
    },
    hide() {
      box.hidden = true;
    },
    async clear() {
      box.hidden = true;
      report?.close();
      (await control).postMessage({ html: "", theme: theme() }, [new MessageChannel().port2]);
    },
  };
}

// inTime returns what a promise gives, or fails with a message after some milliseconds.
function inTime(promise, milliseconds, message) {
  let timer = 0;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail({ kind: "failed", message }), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
