
// store keeps values in IndexedDB of the browser. A method rejects with what the browser says, such as a QuotaExceededError.
//
// Each forget begins a new version of the database, which waits until no page has the one before open, and no page opens that again: what
// was forgotten is not written by a page that still has it.
const store = (() => {
  const name = "tskgraph", kinds = ["files", "session"];
  let opened = null; // a promise of the database
  const asked = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  // connect opens a version of the database, empty if it is a new one; undefined: the one that there is.
  const connect = (version, blocked = null) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const kind of request.result.objectStoreNames) request.result.deleteObjectStore(kind);
      for (const kind of kinds) request.result.createObjectStore(kind);
    };
    request.onblocked = blocked;
    return asked(request);
  };
  const hold = (connection) => {
    opened = connection;
    opened.catch(() => { opened = null; });
    return opened;
  };
  const open = () => opened ?? hold(connect());
  return {
    // watch calls a function when another page forgets everything, which waits until this page has gone.
    async watch(forgotten) {
      (await open()).onversionchange = forgotten;
    },

    // all returns the pairs of key and value of a kind.
    async all(kind) {
      const of = (await open()).transaction(kind).objectStore(kind);
      const [keys, values] = await Promise.all([asked(of.getAllKeys()), asked(of.getAll())]);
      return keys.map((key, i) => [key, values[i]]);
    },

    // change writes the pairs of put and deletes the keys of drop, all or nothing.
    async change(kind, put, drop = []) {
      const transaction = (await open()).transaction(kind, "readwrite"), of = transaction.objectStore(kind);
      const over = new Promise((done, fail) => {
        transaction.oncomplete = done;
        transaction.onabort = () => fail(transaction.error ?? new Error("the browser did not write it"));
      });
      for (const [key, value] of put) of.put(value, key);
      for (const key of drop) of.delete(key);
      await over;
    },

    // forget deletes everything, and makes other pages forget it. It calls waiting if one of them does not go at once.
    async forget(waiting) {
      const db = await open(), { version, onversionchange } = db;
      db.close();
      (await hold(connect(version + 1, waiting))).onversionchange = onversionchange;
    },
  };
})();
