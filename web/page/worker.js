
// A Web Worker that runs tskgraph, compiled to WebAssembly, with memfs as its file system. It answers a message {id, kind, ...} by
// {id, result} or {id, fault}, and may send {id, event} before. The trainings of a race run side by side in workers of its own, whose
// script is the same.
let binary, script, address; // the compiled program; the text of this script, and its URL for workers of this one
let running; // the program, while it runs

// Program is a running program. Whatever ends it, its calls fail and its files stay: the next call starts it again.
class Program {
  calls = new Map(); // by their key: {fail, stop}

  constructor() {
    this.go = new Go();
    this.go.exit = () => this.end("");
    this.functions = new Promise((resolve, reject) => {
      this.reject = reject;
      globalThis.tskgraphReady = resolve;
    });
    this.functions.catch(() => {});
    WebAssembly.instantiate(binary, this.go.importObject).then((instance) => this.go.run(instance)).catch((err) => this.end(String(err)));
  }

  // end ends the program with a fault, from what it wrote and why it ended.
  end(why) {
    if (running !== this) return;
    running = undefined;
    this.go.exited = true;
    const fault = deadly(`${memfs.fs.written}\n${why}`);
    memfs.fs.written = "";
    pool.end();
    this.reject(fault);
    for (const { fail } of [...this.calls.values()]) fail(fault);
  }

  // run calls a function, whose last argument is done(fault, result), with the fault in JSON. It returns a promise of the result.
  async run(id, name, ...args) {
    const functions = await this.functions;
    return new Promise((resolve, reject) => {
      const fail = (fault) => {
        this.calls.delete(id);
        reject(fault);
      };
      const done = (fault, result) => {
        if (fault) return fail(JSON.parse(fault));
        this.calls.delete(id);
        resolve(result);
      };
      const call = { fail, stop: () => {} };
      this.calls.set(id, call);
      call.stop = functions[name](...args, done);
    });
  }
}

// run runs a function of the program, which it starts if necessary, and returns a promise of the result.
const run = (id, name, ...args) => (running ??= new Program()).run(id, name, ...args);

// deadly returns the fault of a program that ended after it wrote a text.
function deadly(text) {
  if (/out of memory|memory access out of bounds|allocation failed/i.test(text)) {
    return { kind: "failed", message: "the browser has no more memory for this table; leave out columns or rows, or install tskgraph and run: tskgraph workbench" };
  }
  const lines = text.split("\n").filter((l) => l.trim() !== "" && !l.startsWith("goroutine "));
  const line = lines.find((l) => /^(panic|fatal error): /.test(l)) ?? lines[0];
  return { kind: "failed", message: `tskgraph ended: ${line ?? "no reason is known"}` };
}

// pool has the workers of a race, each of which trains one setting on one split at a time, or of the search of a page.
const pool = {
  members: [], // {worker, waiting: what takes the answers to messages, by their id; fault: that keeps it from training}
  racing: false,
  asked: 0, // the id of the last message

  // grow starts workers until there are n, or ends those beyond.
  grow(n) {
    while (pool.members.length > n) pool.members.pop().worker.terminate();
    while (pool.members.length < n) {
      const member = { worker: new Worker(address), waiting: new Map() };
      const settle = ({ id, fault, result }) => {
        if (id === 0) member.fault ??= fault; // the next question reports it
        const done = member.waiting.get(id);
        member.waiting.delete(id);
        done?.(fault ? JSON.stringify(fault) : null, fault ? null : result);
      };
      member.worker.onmessage = ({ data }) => settle(data);
      member.worker.onerror = (event) => {
        event.preventDefault();
        member.fault = deadly(event.message ?? "");
        for (const id of [...member.waiting.keys()]) settle({ id, fault: member.fault });
      };
      member.worker.postMessage({ id: 0, kind: "begin", module: binary, script });
      pool.members.push(member);
    }
  },

  // warm starts the workers before there is something to train, as they take a while to start.
  warm() {
    if (typeof Worker !== "undefined" && !pool.racing && !pool.members.length) pool.grow(Math.min(processors, 8) - 1);
  },

  // begin gives n workers a configuration, if there is one, and its files, by their path. It returns false if a worker cannot have workers
  // here.
  begin(n, config, files) {
    if (typeof Worker === "undefined") return false;
    pool.racing = true;
    pool.grow(n);
    if (config) for (const { worker } of pool.members) worker.postMessage({ id: 0, kind: "prepare", config, files });
    return true;
  },

  // ask sends a message to a worker, and calls done(fault, result), with the fault in JSON.
  ask(member, message, done) {
    const fault = member ? member.fault : { kind: "failed", message: "no worker is free" };
    if (fault) return done(JSON.stringify(fault), null);
    member.waiting.set(++pool.asked, done);
    member.worker.postMessage({ id: pool.asked, ...message });
  },

  // train runs a trial of the race of a training in a free worker.
  train: (setting, split, done) => pool.ask(pool.members.find((m) => !m.waiting.size), { kind: "trial", setting, split }, done),

  // answer has a worker answer a text about the search of a page, after those before.
  answer: (k, text, done) => pool.ask(pool.members[k], { kind: "answer", text }, done),

  // end frees the memory of the workers, at once.
  end() {
    pool.racing = false;
    pool.grow(0);
  },
};

// What the program calls.
const processors = navigator.hardwareConcurrency || 1;
globalThis.tskgraphPool = {
  processors,
  begin: (n, config, ...paths) => pool.begin(n, config, Object.assign({}, ...paths.map(memfs.files))),
  train: pool.train,
  answer: pool.answer,
  end: pool.end,
};

// tskgraphPause calls a function after the messages that wait.
const channel = new MessageChannel();
globalThis.tskgraphPause = (resume) => {
  channel.port1.onmessage = () => resume();
  channel.port2.postMessage(null);
};

// compiled compiles the program, which is compressed by Zstandard.
async function compiled({ url, base64 }) {
  const response = base64 ? new Response(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))) : await fetch(url);
  if (!response.ok) throw { kind: "failed", message: `${url}: ${response.status} ${response.statusText}` };
  return WebAssembly.compile(fzstd.decompress(new Uint8Array(await response.arrayBuffer())));
}

// handlers have a function for each kind of message, which returns its result.
const handlers = {
  async begin(message) {
    script = message.script;
    address = URL.createObjectURL(new Blob([script], { type: "text/javascript" })); // that of the page is another origin's, from a file
    binary = message.module ?? await compiled(message);
    await (running ??= new Program()).functions;
  },
  call: async ({ id, method, args }) => {
    if (method === "look") pool.warm();
    return JSON.parse(await run(id, "call", method, JSON.stringify(args ?? {}), (event) => postMessage({ id, event: JSON.parse(event) })));
  },
  stop: ({ call }) => running?.calls.get(call)?.stop(),
  upload: async ({ id, name, file }) => JSON.parse(await run(id, "upload", name, new Uint8Array(await file.arrayBuffer()))),
  keep: () => memfs.files("/"),
  restore: ({ files }) => memfs.put(files),
  // Outcomes stay texts: models in them have a checksum.
  prepare: ({ id, config, files }) => {
    memfs.put(files);
    return run(id, "prepare", config);
  },
  trial: ({ id, setting, split }) => run(id, "trial", setting, split),
  answer: ({ id, text }) => run(id, "answer", text),
};

onmessage = async ({ data }) => {
  const { id, kind } = data;
  try {
    const result = await handlers[kind](data);
    postMessage({ id, result }, kind === "keep" ? Object.values(result).map((bytes) => bytes.buffer) : []);
  } catch (err) {
    postMessage({ id, fault: err?.kind ? err : { kind: "failed", message: String(err) } });
  }
};

for (const kind of ["error", "unhandledrejection"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    const why = event.message ?? String(event.reason);
    if (!why.includes("already exited")) running?.end(why); // a timer of a program that ended
  });
}
