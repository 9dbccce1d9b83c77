
// levelGrades returns the grade of a rule's terms at each place of a part, as edited.
const levelGrades = (part, own) => placeGrades(edited, part, own.map((term) => ({ input: term.input, params: rulesParams(term) })));

// levelChips shows the levels of a categorical column as buttons that say whether a rule includes them, with their grades.
// own are the terms of the rule over the inputs of the column, one for each level that its conditions name.
function levelChips(own, part) {
  const { column, places } = part, first = column.feature;
  const of = (k) => own.find((term) => edited.inputs[term.input].feature === first + k);
  const holds = () => {
    const grades = levelGrades(part, own), most = Math.max(...grades);
    return grades.map((g) => g >= most / 2);
  };
  const toggle = (k) => {
    const chosen = holds();
    chosen[k] = !chosen[k];
    commit(places.flatMap((_, i) => setLevel(of(i), chosen[i])));
  };
  const chips = places.map(({ text }, k) => {
    const bar = make("span", { class: "meter" }, make("span", {})), grade = make("span", { class: "value" });
    const button = make("button", { type: "button", class: "chip", disabled: !of(k), onclick: () => toggle(k),
      title: of(k) ? "" : "No condition of this rule names this level." }, make("span", {}, text), grade, bar);
    return { button, bar, grade };
  });
  const update = () => {
    const grades = levelGrades(part, own), chosen = holds();
    chips.forEach(({ button, bar, grade }, k) => {
      button.setAttribute("aria-pressed", chosen[k]);
      bar.firstChild.style.width = `${100 * Math.min(1, Math.max(0, grades[k]))}%`;
      grade.textContent = grades[k].toFixed(2);
    });
  };
  return { element: make("div", { class: "chips", role: "group", "aria-label": part.name }, ...chips.map((c) => c.button)), update };
}

// setLevel returns the changes after which a term of an indicator includes its level, or excludes it.
function setLevel(term, included) {
  if (!term) return [];
  const [zero, one] = [0, 1].map((v) => gradeAt(term, valuesOf(term), v));
  if (included ? one >= 0.5 && zero >= 0.5 : one < 0.5 && zero >= 0.5) return [];
  return editing.indicator[included ? "both" : "absent"].map((v, j) => [`if ${term.index} ${j}`, v]);
}
