
// byId returns the element with an id.
const byId = (id) => document.getElementById(id);

// fill sets attributes and appends children; text is never parsed as markup.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

// make returns an HTML element.
function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// svg returns an SVG element.
function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

// choice returns a labelled select over texts; onchange gets the chosen index.
function choice(label, texts, chosen, onchange) {
  const select = make("select", { onchange: () => onchange(Number(select.value)) },
    ...texts.map((text, i) => make("option", { value: i, selected: i === chosen }, text)));
  return make("label", {}, ...(label ? [label, " "] : []), select);
}

// later returns a function that calls f once, some milliseconds after its last call.
function later(f, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(f, milliseconds);
  };
}
