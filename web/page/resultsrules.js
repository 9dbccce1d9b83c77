
// mostRules is the number of rules that are shown at first.
const mostRules = 8;

// rulesInWords shows the rules of a run in words and, where they came from one, as a tree.
function rulesInWords(host) {
  return {
    async show({ run }) {
      host.replaceChildren();
      const words = await app.attempt("Reading the rules", () => app.call("words", { run }));
      if (!words || shownRun()?.run !== run) return;
      host.append(...ruleLists(words));
    },
  };
}

function ruleLists({ mixture, members }) {
  return [mixture ? make("p", { class: "note" }, mixture) : null, ...members.flatMap(({ title, rules, tree, why }) => [
    title ? make("h3", {}, title) : null, why ? make("p", { class: "note" }, why) : null,
    rules?.length ? ruleList(rules) : null,
    tree ? make("details", {}, make("summary", {}, "The rules as a tree"), tree.note ? make("p", { class: "note" }, tree.note) : null, make("ul", { class: "tree" }, ...tree.sides.map(branch))) : null,
  ])].filter(Boolean);
}

// ruleList lists rules in words, the first ones at once.
function ruleList(rules) {
  const items = rules.map(({ name, share, if: conditions, always, then }) => make("li", {},
    make("span", { class: "which" }, make("strong", {}, name), Number.isFinite(share) ? make("span", { class: "share" }, percent(share)) : null),
    make("span", {}, ...(conditions?.length ? conditions.flatMap((c, i) => [make("span", { class: "logic" }, i ? " AND " : "IF "), c]) : [make("span", { class: "logic" }, always ?? "ALWAYS")]),
      make("span", { class: "then" }, make("span", { class: "logic" }, "THEN "), then))));
  const list = make("ol", { class: "worded" }, ...items.slice(0, mostRules));
  if (items.length <= mostRules) return list;
  const more = button(`Show all ${counted(items.length, "rule")}`, () => {
    list.append(...items.slice(mostRules));
    more.remove();
  });
  return make("div", {}, list, more);
}

// branch shows a branch of a tree with those below it.
const branch = ({ when, leaf, sides }) => make("li", {}, when, leaf ? make("p", {}, leaf) : make("ul", {}, ...(sides ?? []).map(branch)));
