
// firing shows the firing level of each rule and, for those that fire, the grades of the
// membership functions, the output, and the contribution to the prediction.
function firing(host) {
  const strip = make("figure", {}), list = make("ol", { class: "firing" }), rest = make("p", { class: "note" });
  const all = make("input", { type: "checkbox", onchange: () => rowChanged() });
  const most = 6;
  let cards = [], redraw = null, now = null, of = null; // of: the output of the page whose rules are shown
  const show = () => {
    const member = members[state.member], shown = shownRules(member);
    cards = shown.map((rule) => ruleCard(member, rule));
    list.replaceChildren(...cards.map((c) => c.element));
    strip.replaceChildren();
    now = predictBy(member, state.row);
    of = pageShown(member);
    redraw = levelChart(strip, shown, () => now);
  };
  host.append(
    make("div", { class: "controls" },
      members.length > 1 ? choice("Rules of member", members.map((_, k) => String(k + 1)), 0, (k) => {
        state.member = k;
        show();
        rowChanged();
      }) : null,
      make("label", {}, all, " all rules")),
    strip, list, rest);
  show();
  onRow(() => {
    const member = members[state.member];
    if (pageShown(member) !== of) show();
    now = predictBy(member, state.row);
    now.says = saysOf(member, now);
    redraw();
    const strongest = new Set([...cards].sort((a, b) => firingOf(b.rule, now) - firingOf(a.rule, now)).slice(0, most));
    let shown = 0, held = 0;
    for (const card of cards) {
      const level = firingOf(card.rule, now), visible = all.checked || (strongest.has(card) && level >= 0.001);
      card.element.hidden = !visible;
      if (!visible) continue;
      shown++;
      held += level;
      card.update(now);
    }
    const sum = now.says.reduce((s, y, r) => s + now.levels[r] * y[state.output], 0);
    rest.textContent = !now.covered ? "No rule covers this point."
      : (shown < cards.length ? `Shown: ${shown} of ${cards.length} rules, with ${percent(held)} of the firing. ` : "") + (additive ? `All rules together add up to ${valued(sum)}.` : `All rules together say ${valued(now.values[state.output])}.`);
  });
}

// additive reports whether predictions are the sums of what the rules add.
const additive = content.response.link === "identity";

// pageShown returns the index of the page of the output that is shown; of two classes there is one.
const pageShown = (member) => (member.pageRules ? Math.min(state.output, member.pageRules.length - 1) : 0);

// shownRules returns the rules as people read them: what they are called, their number among those in words, and the rules of the model
// that they became, of a page one or several.
function shownRules(member) {
  if (!member.pageRules) return ranked(member, member.rules.map((rule, r) => ({ name: String(r + 1), number: r + 1, of: [r] })));
  const c = pageShown(member), before = member.pageRules.slice(0, c).reduce((sum, of) => sum + Math.max(...of), 0), all = [];
  member.pageRules[c].forEach((n, r) => { (all[n - 1] ??= { name: String(n), number: before + n, of: [] }).of.push(r); });
  return ranked(member, all);
}

// ranked returns rules in the order of the section on rules: those that decide most rows first. Rules that are not there come last.
function ranked(member, rules) {
  const set = members.length > 1 ? members.indexOf(member) + 1 : 0;
  const order = Array.from(document.querySelectorAll(`#rules [data-member="${set}"] [data-rule]`), (e) => Number(e.dataset.rule));
  const at = ({ number }) => (order.includes(number) ? order.indexOf(number) : order.length);
  return rules.toSorted((a, b) => at(a) - at(b));
}

// firingOf returns the firing level of a shown rule.
const firingOf = (rule, now) => rule.of.reduce((sum, r) => sum + now.levels[r], 0);

// levelChart draws the firing level of every rule.
function levelChart(host, shown, now) {
  const R = shown.length;
  const named = (width) => {
    const every = Math.ceil((R * 28) / width);
    return Array.from({ length: R }, (_, r) => ({ at: r + 1, text: r % every === 0 ? shown[r].name : "" }));
  };
  const y = { from: 0, to: 1, label: "firing level" };
  const redraw = chart(host, {
    alt: "Normalised firing level of each rule", height: 120,
    x: { from: 0.4, to: R + 0.6, ticks: named, label: "rule" },
    y,
  }, (plot) => {
    const wide = Math.min(28, (plot.x(2) - plot.x(1)) * 0.7);
    shown.map((rule) => firingOf(rule, now())).forEach((v, r) => plot.g.append(
      svg("rect", { class: "mark", x: plot.x(r + 1) - wide / 2, width: wide, y: plot.y(v), height: plot.y(0) - plot.y(v) },
        svg("title", {}, `rule ${shown[r].name}: ${percent(v)}`))));
  });
  return () => {
    const top = Math.max(...shown.map((rule) => firingOf(rule, now())));
    y.to = [0.1, 0.25, 0.5, 1].find((v) => v >= top) ?? 1;
    y.ticks = [0, 0.5, 1].map((v) => ({ at: v * y.to, text: `${100 * v * y.to}%` }));
    redraw();
  };
}

// mostCells is the number of columns or components of a rule that are shown: those with the
// lowest grades, which decide.
const mostCells = 16;

// ruleCard returns an element for a rule, and a function that updates it.
function ruleCard(member, rule) {
  const level = make("span", { class: "level" }), bar = make("span", { class: "meter" }, make("span", {}));
  const says = make("span", {}), adds = make("span", {});
  const asks = make("p", { class: "asks" }), grades = make("div", { class: "grades" }), rest = make("p", { class: "note" });
  const conditions = conditionsOf(member, rule), own = rule.of.length === 1 ? member.rules[rule.of[0]] : null;
  let minis = null;
  const element = make("li", { "data-rule": rule.number },
    make("div", { class: "rule" }, make("h3", {}, `Rule ${rule.name}`), make("p", {}, bar, level), make("p", {}, says), make("p", {}, adds)),
    make("div", {}, asks, grades));
  return { rule, element, update(now) {
    if (!minis) {
      minis = member.parts.map((part) => [part, own ? termsOf(own, part) : []]).filter(([, terms]) => terms.length > 0).map(([part, terms]) => gradeCell(member, part, terms));
      grades.append(...minis.map((m) => m.element));
      if (minis.length > mostCells) grades.append(rest);
      if (own && !minis.length) grades.append(make("p", { class: "note" }, "It applies everywhere."));
    }
    const f = firingOf(rule, now), y = sayingOf(member, rule, now);
    element.dataset.level = f;
    level.textContent = `fires ${percent(f)}`;
    bar.firstChild.style.width = `${100 * f}%`;
    says.textContent = y === null ? "" : classes ? `says ${outputs[state.output].name}: ${valued(y)}` : `says ${valued(y)}`;
    adds.textContent = additive && y !== null ? `adds ${valued(f * y)}` : "";
    asks.replaceChildren(...inWords(conditions, state.row));
    const byGrade = minis.map((m) => ({ m, grade: m.update(now.ifPart) })).sort((a, b) => a.grade - b.grade);
    byGrade.forEach(({ m }, i) => { m.element.hidden = i >= mostCells; });
    if (minis.length > mostCells) rest.textContent = `and ${minis.length - mostCells} more, each with a grade of ${byGrade[mostCells].grade.toFixed(2)} or above`;
  } };
}

// sayingOf returns what a shown rule says of the output; null if it fires as several rules whose mean it is not, or as none of several.
function sayingOf(member, rule, now) {
  const firing = rule.of.length === 1 ? rule.of : rule.of.filter((r) => now.levels[r] > 0), says = (r) => now.says[r][state.output];
  if (!firing.length || (classes && member.pageRules?.length > 1) || (firing.length > 1 && !additive)) return null;
  if (firing.length === 1) return says(firing[0]);
  return firing.reduce((sum, r) => sum + now.levels[r] * says(r), 0) / firingOf(rule, now);
}

// conditionsOf reads the conditions of a rule from the section on rules; none for a rule
// without words.
function conditionsOf(member, rule) {
  const set = members.length > 1 ? members.indexOf(member) + 1 : 0;
  const found = document.querySelectorAll(`#rules [data-member="${set}"] [data-rule="${rule.number}"] .condition`);
  return Array.from(found, (e) => ({ text: e.textContent, cut: JSON.parse(e.dataset.cut) }));
}

// has reports whether a condition names the value in a row. The value of a one-hot column is
// the index of the level, or -1.
function has(cut, row) {
  const v = cut.levels ? row.slice(cut.feature, cut.feature + cut.levels).indexOf(1) : row[cut.feature] ?? cut.mean;
  if (cut.in) return cut.in.includes(v);
  if (cut.out) return !cut.out.includes(v);
  const within = (cut.from === undefined || v >= cut.from) && (cut.to === undefined || v <= cut.to);
  return within !== (cut.outside ?? false);
}

// inWords returns the conditions that are met, and those that are not, in words.
function inWords(conditions, row) {
  const met = [], unmet = [];
  for (const c of conditions) (has(c.cut, row) ? met : unmet).push(c.text);
  const words = met.flatMap((text, i) => [make("span", { class: "logic" }, i ? " AND " : "IF "), text]);
  if (unmet.length) words.push(make("span", { class: "unmet" }, `${met.length ? "; " : ""}not met: ${unmet.join("; ")}`));
  return words;
}
