window.times = {};
document.addEventListener("drop", () => { window.times = { drop: performance.now() }; }, true);
new MutationObserver(() => {
	if (!("drop" in times)) return;
	const now = performance.now(), mark = (name, is) => { if (is && !(name in times)) { times[name] = now; return true; } };
	const step = document.body?.dataset.step;
	if (mark("columns", step === "columns" && document.querySelector("#step-columns tbody tr"))) setTimeout(() => webtest.press("Train"));
	const words = step === "results" && document.querySelector("#step-results .worded li, #step-results pre.page");
	mark("rules", words || document.querySelector(".provisional li")); // a page is shown at once
	mark("words", words);
	const drawing = document.querySelector("iframe")?.hasAttribute("aria-busy");
	mark("drawing", drawing);
	mark("report", "words" in times && "drawing" in times && !drawing);
}).observe(document, { subtree: true, childList: true, attributes: true });
