
themeButton(byId("theme"));
outputChoice(byId("output-choice"));
startControls(byId("start"));
inputControls(byId("inputs"));
answer(byId("answer"));
rowContributions(byId("row-contributions"));
firing(byId("firing"));
onOutput(errors);
classErrors();
importance();
onOutput(contributions);
onOutput(responses);
surface();
memberships();
curves();
learningCurves();
pruningPath();
tabs(editor);
window.addEventListener("beforeprint", () => document.querySelectorAll("#rules .rules details").forEach((d) => { d.open = true; }));

// For the console, with values by column: tskgraph.predict({length: 0.5, sex: "F"}).
window.tskgraph = Object.freeze({ predict: (values) => predict(encode(values)) });
