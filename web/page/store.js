
// store keeps values in IndexedDB of the browser. A method rejects with what the browser says, such as a QuotaExceededError.
const store = (() => {
  const name = "tskgraph", kinds = ["files", "session"];
  let opened = null;
  const asked = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  const open = () => {
    opened ??= new Promise((done, fail) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => kinds.forEach((kind) => request.result.createObjectStore(kind));
      request.onsuccess = () => {
        request.result.onversionchange = () => close(); // another tab forgets everything
        done(request.result);
      };
      request.onerror = () => fail(request.error);
      request.onblocked = () => fail(new Error("another tab has it open"));
    });
    opened.catch(() => { opened = null; });
    return opened;
  };
  const close = async () => {
    const db = await opened;
    opened = null;
    db?.close();
  };
  return {
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

    // forget deletes everything.
    async forget() {
      await close();
      await asked(indexedDB.deleteDatabase(name));
    },
  };
})();
