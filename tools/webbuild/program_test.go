package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// calls is a page that calls methods of the program, and writes how each ended to ends.
const calls = `<!DOCTYPE html><link rel="icon" href="data:,"><script src="worker.js"></script><script>
const worker = new Worker(URL.createObjectURL(new Blob([tskgraphWorker]))), waiting = new Map(), ends = [];
worker.onmessage = ({ data: { id, event, fault, result } }) => event || (fault ? waiting.get(id).reject(fault) : waiting.get(id).resolve(result));
const send = (kind, message) => new Promise((resolve, reject) => {
  const id = waiting.size + 1;
  waiting.set(id, { resolve, reject });
  worker.postMessage({ id, kind, ...message });
});
const call = async (method, args) => {
  const what = method + " " + Object.values(args.set ?? args).join(" ");
  const result = await send("call", { method, args }).catch((fault) => ends.push("failed: " + what + ": " + fault.message));
  ends.push(what);
  return result;
};
const train = (set) => call("train", { table: "builtin:sinc", preset: "paper", set: { "train.iterations": "10", ...set } });
(async () => {
  await send("begin", { script: tskgraphWorker, url: new URL("tskgraph.wasm.zst", document.baseURI).href });
  for (const shape of SHAPES) await train({ "model.engine": "autodiff", "model.membership": shape, "model.tnorm": "minimum" });
  for (const loss of ["absolute", "huber", "mean"]) await train({ "model.engine": "autodiff", "train.loss": loss });
  await train({ "model.engine": "autodiff", "train.batch_norm": "true", "train.rule_dropout": "0.5", "train.droprule": "1" });
  const { run } = await train({ "model.engine": "fused" });
  for (const { target } of (await call("start", {})).exports) if (!["start.yaml", "sql"].includes(target)) await call("export", { run, target });
  globalThis.ended = true;
})();
</script>`

// TestProgram trains by Gorgonia and by the fused engine with all shapes and losses, and exports to all targets that need no more than a run: nothing that
// the build leaves out is called.
func TestProgram(t *testing.T) {
	files, err := page()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := save(files, dir); err != nil {
		t.Fatal(err)
	}
	shapes := `["cauchy", "dsigmoid", "gauss2", "gaussian", "gbell", "laplace", "pi", "psigmoid", "sigmoid", "trapezoid", "triangular", "{name: own, expr: '1 / (1 + (abs(x-c)/s)^3)', params: {c: {init: center}, s: {init: spread, min: 0}}}"]`
	if err := os.WriteFile(filepath.Join(dir, "calls.html"), []byte(strings.Replace(calls, "SHAPES", shapes, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	host := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer host.Close()
	p := browser.Open(t, host.URL+"/calls.html")
	p.AwaitFor(`globalThis.ended`, 2*patience)
	var ends []string
	p.Evaluate(`ends`, &ends)
	for _, end := range ends {
		if strings.HasPrefix(end, "failed: ") {
			t.Error(end)
		}
	}
	if len(ends) < 29 {
		t.Errorf("only %d calls: %q", len(ends), ends)
	}
}
