package web

import (
	"encoding/base64"
	"encoding/json"
)

// Engine returns the files of the engine wasm, which are beside those of Page, by name. The program is web/wasm, compiled and
// compressed by Zstandard; support is the script lib/wasm/wasm_exec.js of the Go that compiled it. From a file, where a page cannot
// fetch, the program is a script, too: tskgraph.wasm.js.
func Engine(program, support []byte) map[string][]byte {
	worker := "\"use strict\";\n" + source("memfs.js") + `
globalThis.fs = memfs.fs;
globalThis.process = { pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], umask: () => 0, cwd: () => "/", chdir() {} };
globalThis.path = { resolve: (...parts) => parts.join("/") };
` + string(support) + "((module, exports, define) => {\n" + source("fzstd/fzstd.js") + "})(); // whose loaders are not those of a worker\n" + source("worker.js")
	return map[string][]byte{
		"tskgraph.wasm.zst": program,
		"tskgraph.wasm.js":  script("tskgraphModule", base64.StdEncoding.EncodeToString(program)),
		"worker.js":         script("tskgraphWorker", worker),
	}
}

// script returns a script that defines a global text.
func script(name, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // texts have a form in JSON
	}
	return append(append([]byte("globalThis."+name+" = "), quoted...), ";\n"...)
}
