
// numberField returns a text field for a number. spec has label, unit, now (the number, null for none), was (the number
// before the edits), fault (what is wrong with a number, or empty) and set, which gets a number or undefined for the one before.
function numberField(spec) {
  const field = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": spec.label, onchange: () => {
    const text = field.value.trim().replace("−", "-").replace(",", "."), v = Number(text);
    const fault = text === "" ? "" : !Number.isFinite(v) ? "enter a number" : spec.fault?.(v) ?? "";
    field.setCustomValidity(fault);
    if (!field.reportValidity()) return;
    if (text === "") spec.set(undefined);
    else spec.set(v);
    update();
  } });
  const update = () => {
    const v = spec.now(), was = spec.was();
    field.setCustomValidity("");
    field.value = shortNumber(v);
    field.placeholder = shortNumber(was) || "open";
    field.classList.toggle("changed", v !== was);
    field.title = v === was ? "" : `before: ${shortNumber(was) || "open"}`;
  };
  update();
  return { field, update };
}

// shortNumber formats a number for a field: with at most seven digits; empty for null.
const shortNumber = (v) => (v === null || !Number.isFinite(v) ? "" : String(Number(v.toPrecision(7))).replace("-", "−"));

// termFields returns the fields for the parameters of a term. Positions are in the unit of the column.
function termFields(term, part) {
  const { unit } = part.column;
  const fields = editing.params.map(({ kind, meaning }, j) => {
    const shown = (p) => (kind !== "position" ? p[j] : isOpen(term, p[j]) ? null : term.axis(p[j]));
    const own = kind === "position" || (kind === "spread" && !term.power) ? unit : kind === "spread" ? "of the transform" : "";
    const { field, update } = numberField({
      label: `${part.name}: ${meaning}${own ? `, ${own}` : ""}`, now: () => shown(valuesOf(term)), was: () => shown(valuesBefore(term)),
      fault: (v) => faultOf(term, j, kind === "position" ? term.ofAxis(v) : v),
      set: (v) => commit([[`if ${term.index} ${j}`, v === undefined ? undefined : kind === "position" && term.power ? Number(term.ofAxis(v).toPrecision(9)) : v]]),
    });
    const element = make("label", { class: "edit-field" }, make("span", {}, meaning, own ? make("span", { class: "unit" }, ` ${own}`) : null), field);
    const border = borderOf(j);
    return { element, update: () => {
      element.hidden = border !== null && isOpen(term, valuesOf(term)[border]); // the width of an open border has no effect
      update();
    } };
  });
  return { elements: fields.map((f) => f.element), update: () => fields.forEach((f) => f.update()) };
}

// borderOf returns the position to which the width of a flank belongs; null for any other parameter, and if the shape does not
// have a width for each position.
function borderOf(j) {
  const of = (kinds) => editing.params.flatMap(({ kind }, i) => (kinds.includes(kind) ? [i] : []));
  const positions = of(["position"]), widths = of(["spread", "slope"]);
  return positions.length > 1 && positions.length === widths.length && widths.includes(j) ? positions[widths.indexOf(j)] : null;
}

// faultOf says what is wrong with a value of parameter j; empty if nothing is.
function faultOf(term, j, v) {
  const { kind, least } = editing.params[j], p = valuesOf(term);
  if (!Number.isFinite(v)) return "there is no such value of the transform";
  if (least !== undefined && v < term.ofRules(kind, least)) return `at least ${shortNumber(term.ofRules(kind, least))}`;
  if (!editing.ordered || kind !== "position") return "";
  if (j > 0 && v <= p[j - 1]) return `must be above the ${editing.params[j - 1].meaning}`;
  if (j + 1 < p.length && v >= p[j + 1]) return `must be below the ${editing.params[j + 1].meaning}`;
  return "";
}
