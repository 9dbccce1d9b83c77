
// engine is tskgraph in the browser: compiled to WebAssembly, in a worker, with files in memory.
const engine = (() => {
  const limit = 50e6;
  const calls = new Map(); // by id: {resolve, reject, onEvent}
  let last = 0, dead = null; // the fault that ended the worker

  // script loads a script of this page's directory.
  const script = (name) => new Promise((resolve, reject) => {
    document.head.append(make("script", { src: name, onload: resolve, onerror: () => reject({ kind: "failed", message: `${name} cannot be loaded` }) }));
  });

  // load starts the worker. From a file, there is no fetch: the program is a script, too.
  async function load() {
    await script("worker.js");
    const text = globalThis.tskgraphWorker;
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    worker.onmessage = ({ data: { id, event, fault, result } }) => {
      const call = calls.get(id);
      if (event) return call?.onEvent?.(event);
      calls.delete(id);
      return fault ? call?.reject(fault) : call?.resolve(result);
    };
    worker.onerror = (event) => {
      dead = { kind: "failed", message: `${event.message ?? "the worker of this page ended"}; reload the page` };
      for (const { reject } of calls.values()) reject(dead);
      calls.clear();
    };
    let program = { url: new URL("tskgraph.wasm.zst", document.baseURI).href };
    if (location.protocol === "file:") {
      await script("tskgraph.wasm.js");
      program = { base64: globalThis.tskgraphModule };
      delete globalThis.tskgraphModule;
    }
    await send(worker, { kind: "begin", script: text, ...program });
    return worker;
  }

  // send sends a message to the worker, and returns a promise of the result.
  function send(worker, message, { onEvent, signal } = {}) {
    const id = ++last;
    return new Promise((resolve, reject) => {
      if (dead) return reject(dead);
      calls.set(id, { resolve, reject, onEvent });
      worker.postMessage({ id, ...message });
      const stop = () => worker.postMessage({ id: ++last, kind: "stop", call: id });
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  const ready = load();
  const request = async (message, options) => send(await ready, message, options);
  return {
    kind: "browser", limit, ready,
    call: (method, args = {}, options = {}) => request({ kind: "call", method, args }, options),
    async upload(file, onProgress) {
      if (file.size > limit) {
        throw { kind: "data", message: `${file.name} has ${sized(file.size)}; this page takes at most ${sized(limit)}: install tskgraph and run tskgraph workbench` };
      }
      const name = await request({ kind: "upload", name: file.name, file });
      onProgress?.(1);
      return name;
    },
    keep: () => request({ kind: "keep" }),
    restore: (files) => request({ kind: "restore", files }),
  };
})();
