
// unchosen is the part of the state that is about a table.
const unchosen = () => ({
  table: null, // its name, as the methods take it
  look: null, // the last answer of look
  target: null, // names; null: as look guesses
  leaveOut: null, // names; null: as look chooses
  units: {}, // by name of column, where they differ from the look's
  columns: {}, // by key and name of column, parts of values that differ from the look's
  set: {}, // values by key, where they differ from the preset's
  from: null, // {run, rules}: train on from edited rules
});

// app is what the steps of the page share. Listeners of app.on are called with what app.emit is given:
//   start    the answer of the method start, whenever it is asked for
//   look     the answer of look, after each change of the table or its columns
//   training the training that begins: {args, stop}
//   progress each of its events
//   ended    the answer of train; null if no model was trained
//   trained  the same, if there is one, when the runs are known again
//   theme    auto, light or dark
const app = {
  engine,
  start: null, // the last answer of the method start
  state: {
    ...unchosen(),
    preset: "readable",
    run: null, // the run shown
  },
  listeners: {},

  on(kind, listener) {
    (app.listeners[kind] ??= []).push(listener);
  },
  emit(kind, value) {
    for (const listener of app.listeners[kind] ?? []) listener(value);
  },

  // call calls a method of the engine.
  call(method, args = {}, options = {}) {
    return engine.call(method, args, options);
  },

  // attempt says what is being done while work, a function that returns a promise, runs, and returns its result. The function gets
  // another, which says something else. If it fails, attempt shows the fault and returns undefined.
  async attempt(what, work) {
    const { say, done } = busy(what);
    clearFault();
    try {
      return await work(say);
    } catch (fault) {
      showFault(fault);
      return undefined;
    } finally {
      done();
    }
  },

  // say tells screen readers something that the page shows without moving the focus.
  say(text) {
    byId("said").textContent = text;
  },

  // restart asks for the tables and runs again, which decide the steps that can be shown.
  async restart() {
    app.start = await app.call("start");
    app.emit("start", app.start);
    app.refresh();
    return app.start;
  },
};
