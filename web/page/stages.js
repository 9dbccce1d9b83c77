
// stageNames are the stages of a training in words, with what their steps are.
const stageNames = {
  reading: ["Reading the table"], race: ["Race between settings", "training"], training: ["Training", "update"],
  pages: ["Searching pages of rules, and their errors in cross-validation", "part"], samples: ["Searching them again in random samples of the rows", "sample"],
  ramps: ["Trying gradual borders, and rounding", "page"], measures: ["Checking and measuring the rules"],
};

// stageLine shows the stage of a training, how far it is, and the time left.
function stageLine(host) {
  const what = make("p", { class: "stage" }), bar = make("progress", { max: 1, value: 0, "aria-label": "Progress of this stage" }), time = make("p", { class: "note times" });
  let stage = "";
  host.append(what, bar, time);
  return {
    show({ stage: name, done, total, seconds, left }) {
      const [title, unit] = stageNames[name] ?? [name, "step"];
      if (name !== stage) app.say(title);
      stage = name;
      what.textContent = total && unit ? `${title}: ${grouped(done)} of ${counted(total, unit)}` : title;
      bar.value = total ? done / total : 0; // without a value it moves, which takes WebKit a processor where it draws without a graphics card
      time.textContent = `${lasting(seconds)}${left === undefined || left === null ? "" : `; about ${lasting(Math.max(1, left))} left`}`;
    },
    end(text) {
      stage = "";
      what.textContent = text;
      bar.value = 1;
      time.textContent = "";
    },
  };
}

// stopButton stops the training that runs. From its first rules on there is a model to keep.
function stopButton() {
  const name = (keeps) => (keeps ? "Stop and keep the best so far" : "Stop");
  const element = button(name(false), () => {
    running?.stop();
    element.disabled = true;
    element.textContent = "Stopping …";
  });
  const keep = () => {
    if (!element.disabled) element.textContent = name(true);
  };
  const begin = () => {
    [element.hidden, element.disabled, element.textContent] = [false, false, name(false)];
  };
  return { element, keep, begin };
}
