
// mostRules is the number of rules that are shown at first.
const mostRules = 8;

// rulesInWords shows the page of a run, and what it errs beside others, or, of another model, its rules in words with their formulas, and as
// a tree where they came from one.
function rulesInWords(host) {
  return {
    async show({ run, error_test: test }) {
      host.replaceChildren();
      const answer = await app.attempt("Reading the rules", () => app.call("words", { run }));
      if (!answer || shownRun()?.run !== run) return;
      const { page, rules, words, tree, tried, price } = answer;
      host.append(page ? pageText(page) : ruleList(rules), ...(price ? priceOf(run, price, Number.isFinite(test)) : []), ...(tried?.sizes ? [otherSizes(run, tried)] : []), textDetails(page ? "With what is true of each rule's own rows" : "As text, with the error of each rule", words), ...(tree ? [textDetails("As a tree", tree)] : []));
    },
  };
}

// pageText shows a page; where a line is too long for the window, the rest of it is further to the right.
function pageText(page) {
  const lines = page.split(/^/m).map((line) => make("span", {}, line));
  for (const line of lines) line.style.setProperty("--inner", `${line.textContent.search(/\S|$/) + 4}ch`);
  return make("pre", { class: "page", tabindex: 0 }, ...lines);
}

// likePage trains a model on the parts of a run with a page.
function likePage(args) {
  if (running) return showFault({ message: "A training is running: wait until it has ended, or stop it, then choose again." });
  return startTraining({ page: args });
}

// priceOf says what a page errs beside other models, and trains the default preset on its rows where no run without a page has them.
function priceOf(run, { run: other, lines }, tested) {
  const all = lines.map((text) => make("p", { class: "price" }, text));
  if (tested && !other && !isBare(run)) all.push(make("div", { class: "actions" }, button("Train rules without a page to compare", () => likePage({ run, preset: "robust" }))));
  return all;
}

// otherSizes draws what pages of other sizes err in cross-validation; a click on a point trains a page of its numbers.
function otherSizes(run, tried) {
  const curve = make("figure", {}), { sizes } = tried, bare = isBare(run);
  const train = (numbers) => likePage({ run, numbers });
  const most = sizes.filter((s) => s.numbers >= leastPage);
  let chosen = Math.max(0, most.findLastIndex((s) => s.numbers <= tried.numbers));
  const box = make("details", { class: "sizes" }, make("summary", {}, "Smaller and larger pages"), ...tried.lines.map((text) => make("p", { class: "note" }, text)), curve);
  if (most.length && !bare) {
    box.append(make("div", { class: "actions" }, choice("Numbers", most.map((s) => `${s.numbers}, ${counted(s.rules, "rule")}, error ${figure(s.rmse)}`), chosen, (i) => { chosen = i; }),
      button("Train this page", () => train(most[chosen].numbers))));
  }
  sizeCurve(curve, tried, `${tried.measure} in cross-validation`, bare ? undefined : (numbers) => train(Math.max(numbers, leastPage)));
  return box;
}

// ruleList lists rules by their names and sentences, the first ones at once.
function ruleList(rules) {
  const items = rules.map(({ name, text }) => make("li", {}, make("strong", {}, name), ruleLine(text)));
  const list = make("ol", { class: "worded" }, ...items.slice(0, mostRules));
  if (items.length <= mostRules) return list;
  const more = button(`Show all ${counted(items.length, "rule")}`, () => {
    list.append(...items.slice(mostRules));
    more.remove();
    items[mostRules].querySelector("span").focus();
  });
  return make("div", {}, list, more);
}

// ruleLine shows IF ... THEN ..., ALWAYS or OTHERWISE THEN ..., on two lines. Where a name has the word, too, only the look differs.
function ruleLine(line) {
  const [, always, condition, formula] = line.match(/^(?:(ALWAYS|OTHERWISE)|IF (.*?)) THEN (.*)$/s) ?? [];
  if (formula === undefined) return make("span", { tabindex: -1 }, line);
  const logic = (word) => make("span", { class: "logic" }, word);
  if (always) return make("span", { tabindex: -1 }, logic(always), make("span", { class: "then" }, logic("THEN "), formula));
  return make("span", { tabindex: -1 }, logic("IF "), ...condition.split(" AND ").flatMap((c, i) => (i ? [logic(" AND "), c] : [c])), make("span", { class: "then" }, logic("THEN "), formula));
}

// textDetails shows a text when it is opened.
const textDetails = (title, text) => make("details", {}, make("summary", {}, title), make("pre", { tabindex: 0 }, text));
