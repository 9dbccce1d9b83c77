
// ofTarget matches the keys that say what is learned, and tableKeys those that another preset leaves as they are.
const ofTarget = /^(task|model\.range|train\.loss|train\.class_weights|data\.offset)$/;
const tableKeys = /^(task|model\.range|train\.loss|train\.class_weights|data\..*)$/;

// settingsOf returns the settings whose keys pass a test.
const settingsOf = (passes) => Object.fromEntries(Object.entries(app.state.set).filter(([key]) => passes(key)));

// withPart returns the parts of columns with another one, without it if it is undefined. An empty text removes what the look has.
function withPart(columns, key, name, part) {
  const { [key]: { [name]: _, ...parts } = {}, ...others } = columns;
  if (part !== undefined) parts[name] = part;
  return filled(parts) ? { ...others, [key]: parts } : others;
}

// isTaken says whether the state has what a proposal proposes.
function isTaken({ column, set = {}, leave_out: names }) {
  const { columns, set: has, look, leaveOut } = app.state, left = leaveOut ?? leftOut(look);
  return Object.entries(set).every(([key, value]) => (column ? columns[key]?.[column] : has[key]) === value) && (names ?? []).every((name) => left.includes(name));
}

// takeProposal takes a proposal, or undoes it.
function takeProposal({ column, set = {}, leave_out: names }, undo) {
  const { look, leaveOut } = app.state;
  let { columns } = app.state;
  const has = column ? app.state.set : { ...settingsOf((key) => !(key in set)), ...(!undo && set) };
  if (column) for (const [key, value] of Object.entries(set)) columns = withPart(columns, key, column, undo ? undefined : value);
  const others = (leaveOut ?? leftOut(look)).filter((name) => !names?.includes(name));
  change({ columns, set: has, ...(names && { leaveOut: undo ? others : [...others, ...names] }) });
}

// proposalButtons returns buttons that take proposals, or undo them; null if there are none.
function proposalButtons(proposals) {
  if (!proposals.length) return null;
  const say = () => buttons.forEach((b, i) => { b.textContent = isTaken(proposals[i]) ? `Undo: ${proposals[i].label}` : proposals[i].label; });
  const buttons = proposals.map((p) => button("", () => {
    takeProposal(p, isTaken(p));
    say();
  }, { "data-proposal": JSON.stringify([p.column, p.label]) }));
  say();
  return make("span", { class: "remedies" }, ...buttons);
}

// focusedProposal returns the proposal whose button has the focus, and focusProposal gives it to the button that replaces it.
const focusedProposal = () => document.activeElement?.dataset?.proposal;
function focusProposal(host, proposal) {
  if (proposal) [...host.querySelectorAll("[data-proposal]")].find((b) => b.dataset.proposal === proposal)?.focus();
}
