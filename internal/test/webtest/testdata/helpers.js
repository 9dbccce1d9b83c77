window.webtest = {
	tasks: [],
	press(text) {
		const found = [...document.querySelectorAll("button")].find((b) => b.textContent.trim() === text && !b.disabled && b.getClientRects().length > 0);
		if (!found) throw new Error("no button " + text);
		found.click();
	},
	open() {
		for (const details of document.querySelectorAll("details")) details.open = true;
	},
	step: (title) => [...document.querySelectorAll("#steps button")].find((b) => b.textContent === title).click(),
	put(key, value) {
		const field = document.getElementById("option-" + key);
		field.value = value;
		field.dispatchEvent(new Event("change"));
	},
};
new PerformanceObserver((list) => {
	for (const { duration } of list.getEntries()) webtest.tasks.push({ duration, step: document.body?.dataset.step ?? "" });
}).observe({ type: "longtask", buffered: true });
