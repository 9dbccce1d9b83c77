// A stand-in for tskgraph in WebAssembly and the script of Go that runs it, for tests of worker.js. A call of a method does what its name
// says.
globalThis.Go = class {
  importObject = {};

  run() {
    const die = (text) => {
      fs.writeSync(2, new TextEncoder().encode(text));
      this.exit(2);
    };
    const methods = {
      echo(args, emit, done) {
        emit(JSON.stringify({ event: "note", message: "before" }));
        done(null, args);
      },
      refuse: (args, emit, done) => done(JSON.stringify({ kind: "data", message: "no column y", key: "data.target" }), null),
      panic: () => die("panic: boom\n\ngoroutine 1 [running]:\n"),
      memory: () => die("fatal error: runtime: out of memory: cannot allocate\n"),
      raise: () => void setTimeout(() => { throw new RangeError("too deep"); }),
      wait: (args, emit, done) => () => done(null, "\"stopped\""),
      tables: (args, emit, done) => done(null, JSON.stringify(Object.keys(memfs.files("/")))),
      race(args, emit, done) {
        const outcomes = [];
        tskgraphPool.begin(2, "config", "/tables/a.csv");
        for (const setting of JSON.parse(args)) {
          tskgraphPool.train(setting, 3, (fault, result) => {
            outcomes[setting] = fault ? JSON.parse(fault).message : result;
            if (Object.keys(outcomes).length < JSON.parse(args).length) return;
            tskgraphPool.end();
            done(null, JSON.stringify(outcomes));
          });
        }
      },
      search(args, emit, done) {
        const answers = [];
        tskgraphPool.begin(2, null);
        for (const [k, text] of [[0, "a"], [1, "b"], [0, "c"]]) {
          tskgraphPool.answer(k, text, (fault, result) => {
            answers.push(fault ?? result);
            if (answers.length < 3) return;
            tskgraphPool.end();
            done(null, JSON.stringify(answers.sort()));
          });
        }
      },
    };
    let prepared, heard = "";
    globalThis.tskgraphReady({
      call: (method, args, emit, done) => methods[method](args, emit, done),
      upload(name, bytes, done) {
        memfs.put({ [`/tables/${name}`]: bytes });
        done(null, JSON.stringify(name));
      },
      prepare(config, done) {
        prepared = `${config} ${Object.keys(memfs.files("/"))}`;
        done(null, "null");
      },
      answer: (text, done) => done(null, heard += text),
      trial: (setting, split, done) => (setting === 1 ? die("panic: trial\n") : done(null, `{"of": "${prepared}", "split": ${split}, "loss": 1e-07}`)),
    });
    return new Promise(() => {});
  }
};
