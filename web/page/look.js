
// leftOut returns the names of the columns that a look leaves out.
const leftOut = (look) => look.columns.filter((c) => c.use === "left out").map((c) => c.name);

// filled says whether an object has something.
const filled = (object) => Object.keys(object).length > 0;

let lookNumber = 0; // of the last call

// relook asks what is known of the table, with the preset and the columns chosen. An answer that a later call has overtaken is
// not used: the look is then that of the later one.
async function relook() {
  const { table, preset, target, leaveOut, columns, set } = app.state, number = ++lookNumber;
  const look = await app.call("look", { table, preset, ...(target && { target }), ...(leaveOut && { leave_out: leaveOut }), ...(filled(columns) && { columns }), ...(filled(set) && { set }) });
  if (number === lookNumber) {
    app.state.look = look;
    app.emit("look", look);
    app.refresh();
  }
  return look;
}

// change changes parts of the state that the look depends on. What is changed one soon after another is looked at together; if the engine
// refuses it, the state is as it was before.
function change(changes) {
  before ??= Object.fromEntries(["leaveOut", "columns", "set"].map((key) => [key, app.state[key]]));
  Object.assign(app.state, changes);
  lookSoon();
}

let before = null; // the state before the changes that no look has seen

const lookSoon = later(async () => {
  const last = before;
  before = null;
  if (await app.attempt("Looking at the columns", relook)) return;
  Object.assign(app.state, last);
  app.emit("look", app.state.look);
}, 300);

// rechoose changes parts of the state that the look depends on. If the engine refuses the choice, the state stays as it was. It
// says whether the choice stands.
async function rechoose(what, changes) {
  const before = Object.fromEntries(Object.keys(changes).map((key) => [key, app.state[key]]));
  Object.assign(app.state, changes);
  if (await app.attempt(what, relook)) return true;
  Object.assign(app.state, before);
  app.emit("look", app.state.look);
  return false;
}
