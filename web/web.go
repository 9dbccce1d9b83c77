// Package web has the page on which people train models: drop a table, see rules, take the model away. The page is plain files; an
// engine does the work: tskgraph compiled to WebAssembly in the browser, or the server of tskgraph workbench.
package web

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/internal/report/page"
)

//go:embed page
var sources embed.FS

// scripts are in the order of their dependencies, after those of page.PartsScript and the engine's, which all share one scope.
var scripts = []string{
	"app", "faults", "steps", "text",
	"look", "table", "columns", "proposals", "pictures", "readas", "columnrows",
	"options", "settings", "livecharts", "liverules", "stages", "training",
	"store", "sessions", "resultsframe", "resultsrules", "downloads", "results", "compare",
	"predictform", "predictfile", "predict", "resultsruns", "open", "shortcuts", "main",
}

// frame has the files of the frame that shows reports, which has a policy of its own.
var frame = []string{"frame.html"}

// Page returns the page's files for an engine, wasm or server, by name: index.html, style.css, app.js, and those of the frame that
// shows reports. The script is strict, in one scope, and defines no global name. An unknown engine is an error.
func Page(engine string) (map[string][]byte, error) {
	text, err := sources.ReadFile("page/engine-" + engine + ".js")
	if err != nil {
		return nil, fmt.Errorf("web: no engine %q", engine)
	}
	return assemble(engine, string(text)), nil
}

// assemble returns the page's files for an engine with a script.
func assemble(name, script string) map[string][]byte {
	parts := []string{page.PartsScript, script}
	for _, s := range scripts {
		parts = append(parts, source(s+".js"))
	}
	files := map[string][]byte{
		"index.html": []byte(strings.Replace(source("index.html"), "{{engine}}", name, 1)),
		"style.css":  []byte(page.PartsStyle + source("style.css") + source("results.css") + source("predict.css")),
		"app.js":     []byte(page.ScopeScripts(parts...)),
	}
	for _, name := range frame {
		files[name] = []byte(source(name))
	}
	return files
}

// source returns an embedded file.
func source(name string) string {
	text, err := sources.ReadFile("page/" + name)
	if err != nil {
		panic(err) // the file is embedded
	}
	return string(text)
}

// Engine returns the files of the engine wasm, which are beside those of Page, by name. The program is web/wasm, compiled and
// compressed by Zstandard; support is the script lib/wasm/wasm_exec.js of the Go that compiled it. From a file, where a page cannot
// fetch, the program is a script, too: tskgraph.wasm.js.
func Engine(program, support []byte) map[string][]byte {
	worker := "\"use strict\";\n" + source("memfs.js") + `
globalThis.fs = memfs.fs;
globalThis.process = { pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
	umask: () => 0, cwd: () => "/", chdir() {} };
globalThis.path = { resolve: (...parts) => parts.join("/") };
` + string(support) + "((module, exports, define) => {\n" + source("fzstd/fzstd.js") + "})(); " +
		"// whose loaders are not those of a worker\n" + source("worker.js")
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
