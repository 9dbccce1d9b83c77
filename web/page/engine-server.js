
// engine calls the server of tskgraph workbench, which serves this page: all addresses are relative to its own.
const engine = (() => {
  // fault is an error as the page shows it.
  const fault = (kind, message, more = {}) => Object.assign(new Error(message), { kind, ...more });
  const gone = () => fault("failed", "The workbench does not answer: start it again with tskgraph workbench. What was trained is in its directory of runs.");

  // settle returns the result of the last line of an answer, or throws its error.
  const settle = (line) => {
    if (line?.error) throw fault(line.error.kind, line.error.message, line.error);
    if (line === null || !("result" in line)) throw gone();
    return line.result;
  };

  // post sends JSON, and returns the result at the end of the answer; the lines before it are events.
  async function post(path, id, args, onEvent) {
    let answer;
    try {
      answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Tskgraph": id }, body: JSON.stringify(args), redirect: "error" });
    } catch {
      throw gone();
    }
    if (!answer.ok) throw fault("failed", await answer.text());
    const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let begun = [], last = null; // the pieces of a line
    const take = (line) => {
      const value = JSON.parse(line);
      if (value.event) onEvent(value);
      else last = value;
    };
    for (;;) {
      const { done, value } = await lines.read().catch(() => ({ done: true }));
      if (done) return settle(last);
      const parts = value.split("\n");
      begun.push(parts.shift());
      if (!parts.length) continue;
      take(begun.join(""));
      begun = [parts.pop()];
      parts.forEach(take);
    }
  }

  return {
    kind: "workbench",
    limit: null,
    ready: Promise.resolve(),

    // call calls a method. The signal stops it: a training then ends with the best model so far as its result.
    async call(method, args = {}, { onEvent = () => {}, signal } = {}) {
      const id = crypto.randomUUID();
      let ended = false;
      const stop = async () => {
        try {
          while (!ended && !await post("stop", crypto.randomUUID(), { id }, () => {})) await new Promise((next) => setTimeout(next, 50)); // it has not begun
        } catch { /* the call itself says what is wrong */ }
      };
      const answer = post(`call/${encodeURIComponent(method)}`, id, args, onEvent);
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop);
      try {
        return await answer;
      } finally {
        ended = true;
        signal?.removeEventListener("abort", stop);
      }
    },

    // upload sends a file, and returns the name of its table. It calls onProgress with the bytes that are sent, and all.
    upload(file, onProgress = () => {}) {
      return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest(); // fetch does not tell how much is sent
        request.open("PUT", `tables/${encodeURIComponent(file.name)}`);
        request.setRequestHeader("X-Tskgraph", crypto.randomUUID());
        request.upload.addEventListener("progress", (event) => onProgress(event.loaded, file.size));
        request.addEventListener("load", () => {
          try {
            if (request.status !== 200) throw fault("failed", request.responseText);
            resolve(settle(JSON.parse(request.responseText)));
          } catch (error) {
            reject(error);
          }
        });
        request.addEventListener("error", () => reject(fault("failed", `${file.name} was not sent: it cannot be read, or the workbench does not answer.`)));
        request.send(file);
      });
    },
  };
})();
