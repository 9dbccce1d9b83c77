
// presetChoice lets people choose a preset.
function presetChoice(host) {
  const choose = async (name, radio) => {
    if (!await rechoose("Choosing settings", { preset: name, set: settingsOf((key) => tableKeys.test(key)) })) return;
    radio.focus();
  };
  host.append(make("legend", {}, "What matters most"), ...app.start.presets.map(({ name, doc }) => {
    const radio = make("input", { type: "radio", name: "preset", value: name, checked: name === app.state.preset, onchange: () => choose(name, radio) });
    return make("label", { class: "card" }, radio, make("strong", {}, name), make("span", {}, doc));
  }));
  app.on("look", () => {
    for (const radio of host.querySelectorAll("input")) radio.checked = radio.value === app.state.preset;
  });
}

// sections are the titles of the sections of the configuration.
const sections = { data: "The table", model: "The model", train: "Training" };

// showOption shows the field of a key.
function showOption(key) {
  app.show("settings");
  byId("more").open = true;
  byId(`option-${key}`).focus();
}

app.step({
  id: "settings", title: "Settings", heading: "Settings",
  open: () => app.state.look !== null,
  build(host) {
    const presets = make("fieldset", { class: "presets" }), list = make("div", { class: "options" }), yaml = make("pre", { tabindex: 0, "aria-label": "The configuration" });
    const summary = make("summary", {}), more = make("details", { id: "more" }, summary, list);
    const reset = button("Reset all", () => {
      app.state.set = settingsOf((key) => !app.state.look.options.some((o) => o.key === key));
      app.state.look.stale = true;
      fill(app.state.look);
      summary.focus();
    });
    const fill = (look) => {
      const changed = look.options.filter(({ key }) => key in app.state.set).length;
      summary.textContent = `More: the table, rules, training${changed ? ` (${counted(changed, "change")})` : ""}`;
      reset.hidden = !changed;
      yaml.textContent = look.config;
    };
    const refill = (look) => {
      const at = document.activeElement?.id, sectionOf = ({ key }) => sections[key.split(".")[0]] ?? sections.data;
      list.replaceChildren(...look.options.flatMap((o, i, all) => [i && sectionOf(o) === sectionOf(all[i - 1]) ? "" : make("h3", {}, sectionOf(o)), optionField(o, () => fill(app.state.look))]), reset);
      if (at?.startsWith("option-")) byId(at)?.focus();
      fill(look);
    };
    reset.addEventListener("click", () => refill(app.state.look));
    refill(app.state.look);
    app.on("look", refill);
    host.append(presets, more, make("details", {}, make("summary", {}, "The configuration that this preset writes"), yaml), make("div", { class: "actions" },
      button("Train", () => startTraining(), { class: "main" }), button("Back to the columns", () => app.show("columns"))));
    presetChoice(presets);
  },
});
