
// firing shows the firing level of each rule and, for those that fire, the grades of the
// membership functions, the output, and the contribution to the prediction.
function firing(host) {
  const strip = make("figure", {}), list = make("ol", { class: "firing" }), rest = make("p", { class: "note" });
  const all = make("input", { type: "checkbox", onchange: () => rowChanged() });
  const most = 6;
  let cards = [], redraw = null, now = null;
  const show = () => {
    const member = members[state.member];
    cards = member.rules.map((rule) => ruleCard(member, rule));
    list.replaceChildren(...cards.map((c) => c.element));
    strip.replaceChildren();
    now = predictBy(member, state.row);
    redraw = levelChart(strip, member, () => now);
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
    now = predictBy(member, state.row);
    now.says = saysOf(member, now);
    redraw();
    const strongest = new Set([...now.levels.keys()].sort((a, b) => now.levels[b] - now.levels[a]).slice(0, most));
    let shown = 0, held = 0;
    for (const card of cards) {
      const visible = all.checked || (strongest.has(card.rule.number - 1) && now.levels[card.rule.number - 1] >= 0.001);
      card.element.hidden = !visible;
      if (!visible) continue;
      shown++;
      held += now.levels[card.rule.number - 1];
      card.update(now);
    }
    const sum = now.says.reduce((s, y, r) => s + now.levels[r] * y[state.output], 0);
    rest.textContent = !now.covered ? "No rule covers this point."
      : (shown < cards.length ? `Shown: ${shown} of ${cards.length} rules, with ${percent(held)} of the firing. ` : "") + (additive ? `All rules together add up to ${valued(sum)}.` : `All rules together say ${valued(now.values[state.output])}.`);
  });
}

// additive reports whether predictions are the sums of what the rules add.
const additive = content.response.link === "identity";

// shownNumber returns the number of rule r, from 0, as people read it: of a page that of the page's rule, of which several levels make several.
const shownNumber = (member, r) => member.pageRules?.[0][r] ?? r + 1;

// levelChart draws the firing level of every rule.
function levelChart(host, member, now) {
  const R = member.rules.length;
  const named = (width) => {
    const every = Math.ceil((R * 28) / width);
    return Array.from({ length: R }, (_, r) => ({ at: r + 1, text: r % every === 0 ? String(shownNumber(member, r)) : "" }));
  };
  const y = { from: 0, to: 1, label: "firing level" };
  const redraw = chart(host, {
    alt: "Normalised firing level of each rule", height: 120,
    x: { from: 0.4, to: R + 0.6, ticks: named, label: "rule" },
    y,
  }, (plot) => {
    const wide = Math.min(28, (plot.x(2) - plot.x(1)) * 0.7);
    now().levels.forEach((v, r) => plot.g.append(
      svg("rect", { class: "mark", x: plot.x(r + 1) - wide / 2, width: wide, y: plot.y(v), height: plot.y(0) - plot.y(v) },
        svg("title", {}, `rule ${shownNumber(member, r)}: ${percent(v)}`))));
  });
  return () => {
    const top = Math.max(...now().levels);
    y.to = [0.1, 0.25, 0.5, 1].find((v) => v >= top) ?? 1;
    y.ticks = [0, 0.5, 1].map((v) => ({ at: v * y.to, text: `${100 * v * y.to} %` }));
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
  const conditions = conditionsOf(member, rule);
  let minis = null;
  const element = make("li", { "data-rule": rule.number },
    make("div", { class: "rule" }, make("h3", {}, `Rule ${shownNumber(member, rule.number - 1)}`), make("p", {}, bar, level), make("p", {}, says), make("p", {}, adds)),
    make("div", {}, asks, grades));
  return { rule, element, update(now) {
    if (!minis) {
      minis = member.parts.map((part) => [part, termsOf(rule, part)]).filter(([, terms]) => terms.length > 0).map(([part, terms]) => gradeCell(member, part, terms));
      grades.append(...minis.map((m) => m.element));
      if (minis.length > mostCells) grades.append(rest);
      if (!minis.length) grades.append(make("p", { class: "note" }, "It applies everywhere."));
    }
    const f = now.levels[rule.number - 1], y = now.says[rule.number - 1][state.output];
    element.dataset.level = f;
    level.textContent = `fires ${percent(f)}`;
    bar.firstChild.style.width = `${100 * f}%`;
    says.textContent = classes ? `says ${outputs[state.output].name}: ${valued(y)}` : `says ${valued(y)}`;
    adds.textContent = additive ? `adds ${valued(f * y)}` : "";
    asks.replaceChildren(...inWords(conditions, state.row));
    const byGrade = minis.map((m) => ({ m, grade: m.update(now.ifPart) })).sort((a, b) => a.grade - b.grade);
    byGrade.forEach(({ m }, i) => { m.element.hidden = i >= mostCells; });
    if (minis.length > mostCells) rest.textContent = `and ${minis.length - mostCells} more, each with a grade of ${byGrade[mostCells].grade.toFixed(2)} or above`;
  } };
}

// conditionsOf reads the conditions of a rule from the section on rules; none for a rule
// without words.
function conditionsOf(member, rule) {
  const set = members.length > 1 ? members.indexOf(member) + 1 : 0;
  const found = document.querySelectorAll(`#rules [data-member="${set}"] [data-rule="${shownNumber(member, rule.number - 1)}"] .condition`);
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
