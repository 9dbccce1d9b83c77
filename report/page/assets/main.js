
themeButton(byId("theme"));
startControls(byId("start"));
inputControls(byId("inputs"));
answer(byId("answer"));
firing(byId("firing"));
errors();
importance();
responses();
surface();
memberships();
learningCurves();
pruningPath();
window.addEventListener("beforeprint", () => document.querySelectorAll("#rules .rules details").forEach((d) => { d.open = true; }));

// From the console: tskgraph.predict({length: 0.5, sex: "F"}), by the name of the column.
window.tskgraph = Object.freeze({ predict: (values) => predict(encode(values)) });
