
// liveRules shows the rules of the setting that leads the race.
function liveRules(host) {
  const most = 40; // rules shown
  return {
    clear() {
      host.replaceChildren(make("h3", {}, "First rules"), make("p", { class: "note" }, "The first rules appear here while settings are tried; the final ones will be better."));
    },
    end() {
      if (!host.querySelector("ol")) return host.replaceChildren();
      host.querySelector(".note").textContent = "Provisional: the final rules are among the results.";
      return undefined;
    },
    show({ setting, of, metric, loss, rules }) {
      host.replaceChildren(make("h3", {}, `First rules: ${metric} ${figure(loss)}`),
        make("p", { class: "note" }, `Provisional: setting ${setting} of ${of} leads the race.`),
        make("ol", { class: "provisional" }, ...rules.slice(0, most).map((rule) => make("li", {}, ruleLine(rule)))));
      if (rules.length > most) host.append(make("p", { class: "note" }, `and ${rules.length - most} more`));
      app.say(`${counted(rules.length, "rule")} so far, ${metric} ${figure(loss)}`);
    },
  };
}
