// Package webtest tests the page that trains, from a table that is dropped on it to the files that it saves, in Chromium: as make web
// builds it for a static host, and as tskgraph workbench serves it. Speed and memory are measured by its benchmarks.
package webtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// mostBlocked is the time in milliseconds that the page may be blocked at most in a test, on a machine whose processors
// do other things; the benchmark measures it.
const mostBlocked = 3000

// way is a table that is dropped, and what the page says of its columns; fewer updates of a training than the preset
// has, but for make matrix, if it takes long in the browser.
type way struct {
	table, columns string
	updates        int // 0: those of the preset
}

// TestWay goes from a dropped table to the model that the page saves, and holds it against that of the command with the same configuration;
// with real data, too: in the browser, where training takes several times as long, and with the second table, by make matrix. The workbench
// has the first table by make matrix.
func TestWay(t *testing.T) {
	if !*updateModels {
		testenv.OnlyCI(t)
	}
	ways := []way{{"heating.csv", "900 rows, 6 columns; 5 of them will be used to predict the target.", 300},
		{"iris.csv", "150 rows, 5 columns; 4 of them will be used to predict the target.", 0}}
	t.Run("browser", func(t *testing.T) { walk(t, "browser", ways...) })
	t.Run("workbench", func(t *testing.T) { walk(t, "workbench", ways[testenv.CaseNumber(1, 1, 0):]...) })
	t.Run("real", func(t *testing.T) {
		testenv.Data(t)
		ways := []way{{"no2.csv", "500 rows, 8 columns; 7 of them will be used to predict the target.", 100},
			{"concrete.csv", "1030 rows, 9 columns; 8 of them will be used to predict the target.", 300}}
		walk(t, "workbench", ways[:testenv.CaseNumber(1, 1, 2)]...)
		if testenv.AllCases() {
			walk(t, "browser", ways...)
		}
	})
}

// walk goes from each table to a model.
func walk(t *testing.T, engine string, ways ...way) {
	t.Helper()
	v := engines[engine](t)
	loaded := len(v.proxy.Requests())
	for _, w := range ways {
		v.Run(`webtest.step("Table")`)
		path := table(t, w.table)
		if !v.drop(path) {
			return
		}
		var columns string
		if v.Evaluate(`document.querySelector("#step-columns .lead").textContent`, &columns); columns != w.columns {
			t.Errorf("%s: %q, want %q", w.table, columns, w.columns)
		}
		if w.updates > 0 && !testenv.AllCases() {
			v.set("train.iterations", w.updates)
		}
		if !v.train() {
			return
		}
		v.compare(t, engine, path)
		if w.table == "heating.csv" && engine == "browser" {
			dir := t.TempDir()
			v.saveModel(t, dir)
			v.Run(`webtest.step("Predict")`)
			v.predictFile(t, engine, dir)
		}
	}
	v.quiet(t, engine, loaded)
}

// quiet checks that the page asked for nothing after it was loaded, except its workbench, reported no fault, and was
// never blocked for long.
func (v *visit) quiet(t *testing.T, engine string, loaded int) {
	t.Helper()
	for _, f := range v.Faults() {
		t.Error(f)
	}
	for _, r := range v.proxy.Requests()[loaded:] {
		if engine == "browser" || !strings.Contains(r, " "+v.url+"call/") && !strings.Contains(r, " "+v.url+"tables/") {
			t.Errorf("after loading, the page asked for %s", r)
		}
	}
	longest, step := v.blocked()
	t.Logf("%s: longest task %.0f ms, in the step %s", engine, longest, step)
	if longest > mostBlocked {
		t.Errorf("a task of the step %s took %.0f ms", step, longest)
	}
}

// blocked returns the longest task of the page in milliseconds, and the step that was shown.
func (v *visit) blocked() (longest float64, step string) {
	var tasks []struct {
		Duration float64
		Step     string
	}
	v.Evaluate(`webtest.tasks`, &tasks)
	for _, one := range tasks {
		if one.Duration > longest {
			longest, step = one.Duration, one.Step
		}
	}
	return longest, step
}

// compare holds the model that the page saves against that of the command that the page names. The page in the browser is held against what
// the command without assembly gave when the hashes were written; make matrix trains it again.
func (v *visit) compare(t *testing.T, engine, path string) {
	t.Helper()
	name, got := v.Download(`webtest.press("model.json")`)
	if !strings.HasSuffix(name, "-model.json") {
		t.Errorf("the model is saved as %s", name)
	}
	var lines []string
	v.Evaluate(`[...document.querySelectorAll("#step-results .command pre")].map((p) => p.textContent)`, &lines)
	if len(lines) < 2 {
		t.Fatalf("the page names the commands %q", lines)
	}
	if engine == "workbench" {
		same(t, path, got, ran(t, built(t, command), v.dir, lines[1])) // all settings are in this command
		return
	}
	if testenv.AllCases() || *updateModels {
		copied(t, path, filepath.Join(v.dir, filepath.Base(path)))
		name, text := v.Download(`webtest.press("config.yaml")`)
		if err := os.WriteFile(filepath.Join(v.dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
		want := ran(t, built(t, portable), v.dir, lines[0])
		same(t, path, got, want)
		if *updateModels {
			record(t, filepath.Base(path), hash(t, want))
		}
	}
	if !testenv.AllCases() {
		if got, want := hash(t, got), recorded(t)[filepath.Base(path)]; got != want {
			t.Errorf("%s: the model of the browser has the hash %s, that of the command without assembly %s (-update-models writes it)", path,
				got, want)
		}
	}
}

// same checks that two model files have the same numbers.
func same(t *testing.T, path string, got, want []byte) {
	t.Helper()
	if d := difference(content(t, got), content(t, want)); d != "" {
		t.Errorf("%s: the model is not that of the command: %s", path, d)
	}
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
