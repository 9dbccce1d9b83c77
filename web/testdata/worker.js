// Calls the program in a worker, which ends in several ways, and keeps what it says.
(async () => {
	const said = [];
	await send("begin", { script: tskgraphWorker, module: await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) });
	said.push(await send("upload", { name: "a.csv", file: new File(["x,y"], "other") }));
	said.push(JSON.stringify(await call("echo", { a: 1 })), events.join());
	said.push(await call("refuse"), await call("panic"), await call("memory"), await call("raise"));
	said.push(await call("tables"));
	const waiting = call("wait");
	send("stop", { call: calls.size });
	said.push(await waiting);
	said.push(await call("race", [0, 1]), await call("race", [0, 2]), await call("search"));
	const kept = await send("keep");
	await send("restore", { files: { "/runs/r/model.json": kept["/tables/a.csv"] } });
	said.push(Object.keys(await send("keep")), (await send("keep"))["/runs/r/model.json"].length);
	globalThis.said = said.map((v) => Array.isArray(v) ? v.join(" | ") : String(v));
})().catch((err) => { globalThis.said = ["failed: " + JSON.stringify(err) + err]; })
