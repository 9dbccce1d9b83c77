
// memberships draws the membership functions of each input over the histogram of the
// data.
function memberships() {
  const host = byId("memberships"), controls = byId("membership-controls"), charts = byId("membership-charts");
  const look = { member: 0, rule: 0 };
  const show = () => {
    const member = members[look.member];
    charts.replaceChildren();
    for (const button of host.querySelectorAll(":scope > button")) button.remove();
    multiples(charts, inputsByImportance(member), (figure, index) => membershipChart(figure, member, index, look.rule));
  };
  const rulesOf = () => {
    const rules = members[look.member].rules.slice().sort((a, b) => b.share - a.share);
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

// inputsByImportance are the inputs of a member that some rule mentions: components in
// their order, features by the importance of their column.
function inputsByImportance(member) {
  const mentioned = new Set(member.rules.flatMap((r) => [...r.mentions]));
  const rank = (index) => byImportance.findIndex((c) => member.inputs[index].feature >= c.feature && member.inputs[index].feature < c.feature + c.width);
  return member.inputs.map((_, i) => i).filter((i) => mentioned.has(i)).sort((a, b) => rank(a) - rank(b) || a - b);
}

function membershipChart(host, member, index, highlighted) {
  const input = member.inputs[index], seen = inputScale(member, index);
  const column = content.columns.find((c) => input.feature >= c.feature && input.feature < c.feature + c.width);
  const histogram = input.histogram ?? content.features[input.feature]?.histogram;
  const xs = Array.from({ length: 101 }, (_, i) => seen.from + ((seen.to - seen.from) * i) / 100);
  const faint = Math.min(0.8, Math.max(0.16, 6 / member.rules.length));
  chart(host, {
    title: label(input.name, column?.levels ? "" : column?.unit), alt: `Membership functions of ${input.name}`, height: 170,
    x: { from: seen.from, to: seen.to },
    y: { from: 0, to: 1.02, ticks: [0, 0.5, 1].map((v) => ({ at: v, text: String(v) })) },
  }, (plot) => {
    if (histogram) plot.g.append(bars(plot, histogram, 0.9));
    for (const rule of member.rules) {
      const i = rule.mentions.indexOf(index);
      if (i < 0) continue;
      const chosen = rule.number - 1 === highlighted;
      const path = line(plot, xs, xs.map((v) => member.shape.grade(seen.toRules(v), rule.params[i])), {
        "stroke-opacity": chosen ? 1 : faint,
        class: chosen ? "line chosen" : "thin line",
      });
      path.append(svg("title", {}, `rule ${rule.number}`));
      plot.g.append(path);
    }
  });
}
