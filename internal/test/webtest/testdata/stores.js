window.stored = undefined;
const asked = (request) => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = fail; });
(async () => {
	const all = [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...await caches.keys()];
	for (const { name } of await indexedDB.databases()) {
		const db = await asked(indexedDB.open(name));
		for (const kind of db.objectStoreNames) for (const key of await asked(db.transaction(kind).objectStore(kind).getAllKeys())) all.push(kind + "/" + key);
		db.close();
	}
	window.stored = all;
})();
