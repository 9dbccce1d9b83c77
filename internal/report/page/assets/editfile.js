
// rulesFile returns rules.yaml with the edits.
const rulesFile = () => editing.file.map(pieceOf).join("");

// pieceOf returns a piece of the file as edited.
function pieceOf(piece) {
  if (piece.key && edits.now.has(piece.key)) return String(edits.now.get(piece.key));
  if (piece.formula) return formulaText(piece);
  if (piece.keep) return piece.keep.lines[keptOf(edited.rules[piece.keep.rule])];
  if (piece.off !== undefined) return edits.now.has(`off ${piece.off}`) ? piece.text : "";
  return piece.text;
}

// formulaText returns a formula as edited: what was not edited has the decimals that it had.
function formulaText({ text, formula: { rule, output, constant, slopes } }) {
  const key = (i) => `then ${rule} ${output} ${i}`;
  if (!edits.now.has(key(0)) && !slopes.some((_, i) => edits.now.has(key(i + 1)))) return text;
  const number = (i, was) => (edits.now.has(key(i)) ? String(edits.now.get(key(i))) : was);
  const terms = slopes.map(({ text: was, name }, i) => [number(i + 1, was), name]).filter(([v]) => Number(v) !== 0);
  const sum = terms.map(([v, name]) => (v.startsWith("-") ? ` - ${v.slice(1)}*${name}` : ` + ${v}*${name}`)).join("");
  return `'${(number(0, constant) + sum).replaceAll("'", "''")}'`;
}

// saveText saves a text as a file.
function saveText(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// downloads makes the buttons that save the file and copy its text.
function downloads(host) {
  const said = make("span", { role: "status" });
  const save = make("button", { type: "button", class: "primary", id: "edit-save", onclick: () => {
    saveText("rules.yaml", rulesFile(), "application/yaml");
    said.textContent = "Saved as rules.yaml.";
  } }, "Download rules.yaml");
  const copy = make("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(rulesFile());
      said.textContent = "Copied.";
    } catch {
      byId("edit-text").parentElement.open = true;
      getSelection().selectAllChildren(byId("edit-text"));
      said.textContent = "The browser does not let a file copy: the text is selected below.";
    }
  } }, "Copy");
  host.append(save, copy, said);
}
