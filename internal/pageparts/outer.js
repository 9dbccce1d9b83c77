
// outer is the page of tskgraph that shows this report in a frame, which it shares its thread with: a port to it, and its colours.
// Null if the report is a page of its own.
const outer = window.tskgraphPage?.port instanceof MessagePort ? window.tskgraphPage : null;

// tell sends a message to the page around the report, if there is one.
const tell = (message) => outer?.port.postMessage(message);

// mostAtOnce is the time in milliseconds that the report draws at once below another page.
const mostAtOnce = 12;

// pending has what is to be drawn: functions, and their steps once they have begun.
const pending = [];
let turn = 0;

// gradually calls f, which draws a part of the report; a generator divides it into steps. A report of its own is drawn at once;
// below another page, parts are drawn in turn and in short tasks. What is still to be drawn by the same f is dropped.
function gradually(f) {
  if (!outer) {
    for (const steps = begin(f); !steps.next().done;);
    return;
  }
  const at = pending.findIndex((one) => one.f === f);
  if (at >= 0) pending.splice(at, 1);
  pending.push({ f, steps: null });
  turn ||= setTimeout(work);
}

// begin calls f and returns its steps, none if it has drawn all.
function begin(f) {
  const steps = f();
  return typeof steps?.next === "function" ? steps : [].values();
}

// work draws the first of the pending parts until the time is over.
function work() {
  const end = performance.now() + mostAtOnce;
  try {
    while (pending.length && performance.now() < end) drawStep();
  } finally {
    turn = pending.length ? setTimeout(work) : 0;
    if (!turn) tell({ drawn: true });
  }
}

function drawStep() {
  const [one] = pending, drop = () => {
    if (pending.includes(one)) pending.splice(pending.indexOf(one), 1);
  };
  try {
    one.steps ??= begin(one.f);
    if (one.steps.next().done) drop();
  } catch (fault) {
    drop(); // the others are drawn all the same
    throw fault;
  }
}
