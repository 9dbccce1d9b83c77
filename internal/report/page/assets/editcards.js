
// editCard returns the element of a rule: a switch, the rule in words, and, when it is opened, its conditions and formula.
function editCard(rule) {
  const id = `edit-${rule.number}`;
  const on = make("input", { type: "checkbox", role: "switch", id, "aria-label": `Rule ${rule.number}`, onchange: () => commit([[`off ${rule.number - 1}`, on.checked ? undefined : 1]]) });
  const reset = make("button", { type: "button", onclick: () => commit(keysOf(rule).map((key) => [key, undefined])) }, "Reset rule");
  const words = make("span", { class: "words" }), share = make("span", { class: "share" }), kept = make("span", { class: "kept" }), facts = make("p", { class: "note" });
  const body = make("div", { class: "edit-body" });
  const details = make("details", { ontoggle: () => open() }, make("summary", {}, make("span", { class: "which" }, make("strong", {}, `Rule ${rule.number}`), make("span", { class: "facts" }, share, kept)), words), body);
  const element = make("li", { class: "edit-rule", "data-rule": rule.number }, make("span", { class: "switch" }, on), details);
  let parts = null, output = look.output;
  const open = () => {
    if (!details.open || parts) return;
    output = look.output;
    const conditions = conditionEditors(rule), then = thenEditor(rule), [keepIf, keepThen] = Object.keys(keepParts).map((name) => keepBox(rule, name));
    parts = [...conditions, then, keepIf, keepThen];
    body.replaceChildren(
      keepIf.element, conditions.length ? make("div", { class: "edit-terms" }, ...conditions.map((p) => p.element)) : make("p", { class: "note" }, "always"),
      keepThen.element, then.element, facts, make("p", { class: "controls" }, reset));
    update(true);
  };
  const update = (changedNow) => {
    if (parts && output !== look.output) {
      parts = null;
      open();
    }
    const off = isOff(rule), changed = keysOf(rule).length > 0;
    on.checked = !off;
    on.disabled = !off && edited.rules.filter((r) => !isOff(r)).length === 1;
    element.classList.toggle("off", off);
    element.classList.toggle("changed", changed);
    reset.disabled = !changed;
    share.textContent = off ? "off" : `fires ${percent(trial.now.share[rule.number - 1])}`;
    kept.textContent = off ? "" : keptWords(rule);
    if (changedNow) words.replaceChildren(...ruleWords(rule));
    if (!parts) return;
    if (changedNow) parts.forEach((p) => p.update());
    if (!details.open) return;
    facts.textContent = factsOf(rule);
  };
  return { element, update, rule };
}

// conditionEditors returns the editors of the conditions of a rule, one for each column.
function conditionEditors(rule) {
  const own = termsIn(rule);
  return edited.parts.flatMap((part) => {
    const of = own.filter((term) => part.inputs.includes(term.input));
    if (!of.length) return [];
    const shared = sharing(rule, of);
    const pieces = part.column.onehot ? [levelChips(of, part)] : [termPlot(of[0], part), termFields(of[0], part)];
    const caption = make("figcaption", {}, part.title, shared.length ? make("span", { class: "shared" }, ` shared with rule${shared.length > 1 ? "s" : ""} ${shared.join(", ")}`) : null);
    const element = make("figure", { class: "edit-term", "data-column": part.name }, caption, ...pieces.flatMap((p) => p.elements ? [make("div", { class: "edit-fields" }, ...p.elements)] : [p.element]));
    return [{ element, update: () => {
      pieces.forEach((p) => p.update());
      element.classList.toggle("changed", of.some((term) => editing.params.some((_, j) => edits.now.has(`if ${term.index} ${j}`))));
    } }];
  });
}

// ruleWords returns a rule in words, as edited: the values with at least half the greatest grade, and the terms with the
// greatest effects.
function ruleWords(rule) {
  const own = termsIn(rule);
  const conditions = edited.parts.flatMap((part) => {
    const of = own.filter((term) => part.inputs.includes(term.input));
    const text = of.length ? rangeWords(of, part) : "";
    return text ? [`${part.name} ${text}`] : [];
  });
  const words = conditions.flatMap((text, i) => [make("span", { class: "logic" }, i ? " AND " : "IF "), text]);
  if (!words.length) words.push(make("span", { class: "logic" }, "ALWAYS"));
  return [...words, make("span", { class: "then" }, make("span", { class: "logic" }, "THEN "), formulaWords(rule))];
}

// rangeWords says at which values the grade of terms over a part is at least half of its greatest one; empty if at all.
function rangeWords(own, part) {
  if (part.places) {
    const grades = levelGrades(part, own), most = Math.max(...grades), named = part.places.filter((_, k) => grades[k] >= most / 2).map((p) => p.text);
    return named.length === part.places.length ? "" : `is ${named.join(" or ")}`;
  }
  const [term] = own, { axis: { from, to } } = axisOf(term, part), at = gradesFor(term, valuesOf(term)), grade = (v) => at(term.ofAxis(v));
  const xs = Array.from({ length: 101 }, (_, i) => from + ((to - from) * i) / 100), grades = xs.map(grade), half = Math.max(...grades) / 2;
  const first = grades.findIndex((g) => g >= half), last = grades.findLastIndex((g) => g >= half);
  const low = first > 0 ? crossing(grade, half, xs[first], xs[first - 1]) : null, high = last < 100 ? crossing(grade, half, xs[last], xs[last + 1]) : null;
  const unit = part.column.unit ? ` ${part.column.unit}` : "";
  if (low !== null && high !== null) return `${figure(low, 3)} to ${figure(high, 3)}${unit}`;
  return low !== null ? `at least ${figure(low, 3)}${unit}` : high !== null ? `at most ${figure(high, 3)}${unit}` : "";
}

// crossing returns where a grade falls below a value, between a position where it does not and one where it does.
function crossing(grade, value, above, below) {
  for (let i = 0; i < 30; i++) {
    const middle = (above + below) / 2;
    if (grade(middle) >= value) above = middle;
    else below = middle;
  }
  return above;
}

// mostTerms is the number of terms of a formula that are written out.
const mostTerms = 3;

// formulaWords returns the formula of a rule, as edited, by what it says at its centre.
function formulaWords(rule) {
  const c = look.output, { label: name, unit } = editing.outputs[c], w = rulesWeights(rule, c);
  const slopes = edited.inputs.map((_, m) => m).filter((m) => w[m + 1] !== 0).sort((a, b) => Math.abs(w[b + 1]) - Math.abs(w[a + 1]));
  const texts = slopes.slice(0, mostTerms).map((m) => `${signed(coefficient(rule, c, m + 1))} ${slopeUnit(m, unit)} ${inputName(m)}`.replace(/  +/g, " "));
  const more = slopes.length > mostTerms ? ` and ${slopes.length - mostTerms} more` : "";
  return `${name} is ${withUnit(saysAt(rule, c), unit)} at the centre of the rule${texts.length ? `; ${texts.join(", ")}${more}` : ""}`;
}

// factsOf says where a rule fires, and with which error.
function factsOf(rule) {
  if (isOff(rule)) return "Switched off: it is not part of the rules.";
  const r = rule.number - 1, { top, losses, most } = trial.now, n = top.reduce((sum, t) => sum + (t === r), 0), { name, unit } = content.figure;
  if (!n) return `It is the strongest rule for no row; its greatest firing level is ${percent(most[r])}.`;
  const error = meanLoss(losses, top, r), before = meanLoss(trial.before.losses, top, r);
  return `It is the strongest rule for ${n} of ${trial.N} rows; their ${name} is ${withUnit(error, unit)}, ${withUnit(before, unit)} before the edits.`;
}
