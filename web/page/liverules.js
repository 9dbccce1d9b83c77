
// liveRules shows the rules of the setting that leads the race, or of the best page so far, which has no setting.
function liveRules(host) {
  const most = 40; // rules shown
  return {
    clear() {
      host.replaceChildren(make("h3", {}, "First rules"), make("p", { class: "note" }, "The first rules appear here while others are tried."));
    },
    end() {
      if (!host.querySelector("ol")) return host.replaceChildren();
      host.querySelector(".note").textContent = "Provisional: the final rules are among the results.";
      return undefined;
    },
    show({ setting, of, metric, loss, rules }) {
      const error = setting ? `: ${metric} ${figure(loss)}` : "";
      host.replaceChildren(make("h3", {}, `First rules${error}`),
        make("p", { class: "note" }, setting ? `Provisional: setting ${setting} of ${of} leads the race.` : "Provisional: a page that the search found on its way, whose error is not yet known."),
        make("ol", { class: "provisional" }, ...rules.slice(0, most).map((rule) => make("li", {}, ruleLine(rule)))));
      if (rules.length > most) host.append(make("p", { class: "note" }, `and ${rules.length - most} more`));
      app.say(`${counted(rules.length, "rule")} so far${error}`);
    },
  };
}
