
// outer is the page of tskgraph that shows this report in a frame, which it shares its thread with: a port to it, its colours, and
// over once another report takes the place of this one. Null if the report is a page of its own.
const outer = window.tskgraphPage?.port instanceof MessagePort ? window.tskgraphPage : null;

// tellOuter sends a message to the page around the report, if there is one.
const tellOuter = (message) => outer?.port.postMessage(message);

const contentHeight = () => Math.ceil(document.body.getBoundingClientRect().height);

// mostAtOnce is the time in milliseconds that the report draws at once below another page.
const mostAtOnce = 12;

// undrawn has what is to be drawn: functions, and their steps once they have begun.
const undrawn = [];

// turns gives each slice of the drawing a task of its own: browsers slow the timers of frames that are out of sight.
const turns = outer && new MessageChannel();
let drawing = false;
if (turns) turns.port1.onmessage = drawPending;

function nextTurn() {
  drawing = true;
  turns.port2.postMessage(null);
}

// gradually calls f, which draws a part of the report; a generator divides it into steps. A report of its own is drawn at once;
// below another page, parts are drawn in turn and in short tasks. What is still to be drawn by the same f is dropped.
function gradually(f) {
  if (!outer) {
    for (const steps = drawingOf(f); !steps.next().done;);
    return;
  }
  if (outer.over) return;
  const at = undrawn.findIndex((one) => one.f === f);
  if (at >= 0) undrawn.splice(at, 1);
  undrawn.push({ f, steps: null });
  if (!drawing) nextTurn();
}

// drawingOf calls f and returns its steps, none if it has drawn all.
function drawingOf(f) {
  const steps = f();
  return typeof steps?.next === "function" ? steps : [].values();
}

// drawPending draws the first of the undrawn parts until the time is over.
function drawPending() {
  if (outer.over) undrawn.length = 0;
  const end = performance.now() + mostAtOnce;
  try {
    while (undrawn.length && performance.now() < end) drawStep();
  } finally {
    drawing = undrawn.length > 0;
    if (drawing) nextTurn();
    else tellOuter({ drawn: true, height: contentHeight() });
  }
}

function drawStep() {
  const [one] = undrawn, drop = () => {
    if (undrawn.includes(one)) undrawn.splice(undrawn.indexOf(one), 1);
  };
  try {
    one.steps ??= drawingOf(one.f);
    if (one.steps.next().done) drop();
  } catch (fault) {
    drop(); // the others are drawn all the same
    throw fault;
  }
}
