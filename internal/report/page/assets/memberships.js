
// memberships draws the membership functions of each column or component over the
// distribution of the data.
function memberships() {
  const host = byId("memberships");
  if (!host) return;
  const controls = byId("membership-controls"), charts = byId("membership-charts");
  const look = { member: 0, rule: 0 };
  const show = () => {
    const member = members[look.member];
    charts.replaceChildren();
    for (const button of host.querySelectorAll(":scope > button")) button.remove();
    const mentioned = new Set(member.rules.flatMap((r) => r.mentions)), parts = member.parts.filter((p) => p.inputs.some((i) => mentioned.has(i)));
    multiples(charts, parts, (figure, part) => membershipChart(figure, member, part, look.rule));
  };
  const rulesOf = () => {
    const rules = ranked(members[look.member], members[look.member].rules);
    look.rule = rules[0].number - 1;
    return choice("Highlight", [...rules.map((r) => `rule ${r.number}, ${percent(r.share)} of the firing`), "no rule"], 0, (i) => {
      look.rule = i < rules.length ? rules[i].number - 1 : -1;
      show();
    });
  };
  let picker = rulesOf();
  if (members.length > 1) {
    controls.append(choice("Member", members.map((_, k) => String(k + 1)), 0, (k) => {
      look.member = k;
      const next = rulesOf();
      picker.replaceWith(next);
      picker = next;
      show();
    }));
  }
  controls.append(picker);
  show();
}

// membershipChart draws the grades of each rule over a part: points if it has places, else
// curves.
function membershipChart(host, member, part, highlighted) {
  const rules = member.rules.map((rule) => ({ rule, terms: termsOf(rule, part) })).filter(({ terms }) => terms.length > 0);
  const faint = Math.min(0.8, Math.max(0.16, 6 / member.rules.length));
  const { axis, background, draw } = (part.places ? gradePoints : gradeCurves)(member, part);
  chart(host, {
    title: part.title, alt: `Membership functions of ${part.name}`, height: 170,
    x: axis, beyond: part.histogram,
    y: { from: 0, to: 1.02, ticks: [0, 0.5, 1].map((v) => ({ at: v, text: String(v) })) },
  }, (plot) => {
    if (background) plot.g.append(background(plot));
    if (part.column) linkColumn(plot, part.column, axis, 0.9);
    rules.forEach(({ rule, terms }, i) => {
      const chosen = rule.number - 1 === highlighted;
      plot.g.append(svg("g", { class: chosen ? "chosen function" : "function", opacity: chosen ? 1 : faint },
        draw(plot, terms, (i + 0.5) / rules.length - 0.5), svg("title", {}, `rule ${rule.number}`)));
    });
  });
}

// gradeCurves draws a function as a curve over the histogram of the data.
function gradeCurves(member, { inputs: [index], histogram }) {
  const { from, to, toRules } = inputScale(member, index);
  const xs = Array.from({ length: 101 }, (_, i) => from + ((to - from) * i) / 100);
  return {
    axis: { from, to },
    background: histogram && ((plot) => bars(plot, histogram, 0.9)),
    draw: (plot, terms) => line(plot, xs, xs.map((v) => gradeOf(member, terms, () => toRules(v)))),
  };
}

// gradePoints draws the grades at the places of a column as points, with the rules side by side.
function gradePoints(member, part) {
  const { column, places } = part, axis = placeAxis(column, places);
  return {
    axis,
    background: (plot) => placeBars(plot, places, axis.gap, 0.9),
    draw: (plot, terms, aside) => svg("g", {}, ...placeDots(plot, places, axis.gap, placeGrades(member, part, terms), 0.7 * aside, { r: 3.2 })),
  };
}
