package js

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
)

// hostile returns a form with names that end literals and comments of JavaScript.
func hostile(t *testing.T) *export.Form {
	t.Helper()
	m, err := exporttest.Case{Shape: "gaussian", Response: "classes"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Schema
	s.Target, s.Columns[0].Name, s.Columns[0].Unit = "*/ \u2028throw 1;\n// `${1}`", "__proto__", "*/ throw 2; /*\r\n"
	s.Columns[2].Name, s.Columns[2].Levels = "constructor", []string{`"; throw 3; "`, "\\", "</script>\u202e"}
	s.Classes = []string{"__proto__", "2", "a\nb"}
	for k, name := range s.Classes {
		m.Response.Classes[k].Name = name
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestHostileNames: names from the data are data, in the modules too.
func TestHostileNames(t *testing.T) {
	f := hostile(t)
	for _, path := range written(t, f) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexAny(string(text), "\r\u2028\u202e"); i >= 0 || strings.Contains(string(text), "</script>") {
			t.Errorf("%s has characters that are not escaped, at %d", path, i)
		}
	}
	cells := []string{"20", "1", "\\", "small", "-41"}
	got, predicted := startNode(t).ask(t, f, question{Rows: [][]string{cells}})
	want := f.Predict(f.Encode(cells))
	most := 0
	for j, v := range want {
		if diff := got[0][j] - v; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("probabilities %v, want %v", got[0], want)
		}
		if v > want[most] {
			most = j
		}
	}
	if predicted[0] != f.Outputs[most].Name {
		t.Errorf("class %q of %v", predicted[0], want)
	}
}

// usage is TypeScript that the types must accept, with statements that they must not after
// @ts-expect-error. %s is the module, then there are types of a prediction.
const usage = `import { predict, explain, columns, outputs, type Row } from %q;
const row: Row = { x: 3, 'wind "speed", m/s': null, day: "O'Hare", "größe 100%%": "none of them", select: -41.5 };
const p: %s = predict(row)%s;
const covered: boolean = predict(row).covered;
const level: number = explain(row).members[0].rules[0].level;
const text: string = explain(row).members[0].rules[0].then.join("; ") + columns[0].name + outputs[0].name;
export { p, covered, level, text };
// @ts-expect-error a text for a number
predict({ ...row, x: "3" });
// @ts-expect-error a column is absent
predict({ x: 3 });
// @ts-expect-error a column that is not there
predict({ ...row, other: 3 });
// @ts-expect-error the type of the prediction
const wrong: boolean = predict(row)%s;
export { wrong };
`

// TestTypes: TypeScript finds the types of both modules of each kind and checks programs by them.
func TestTypes(t *testing.T) {
	node, compiler := exporttest.Tool(t, "node", "nodejs"), filepath.Join(exporttest.NodeModules(t, "typescript"), "typescript", "bin", "tsc")
	args := []string{compiler, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2020"}
	for _, c := range []struct{ response, prediction, path string }{
		{"number", "number", ".prediction"},
		{"targets", "number", `.prediction["water used"]`},
		{"quantiles", "number", `.quantiles["0.05"]`},
		{"classes", `"sorgho" | "maïs" | "blé d'hiver" | null`, ".prediction"},
		{"binary", "number", ".probabilities.maïs"},
	} {
		table := newTable(t, exporttest.Case{Shape: "gaussian", Response: c.response})
		paths := written(t, table.Form)
		for i, name := range []string{"use.mts", "use.cts"} {
			file := filepath.Join(filepath.Dir(paths[0]), name)
			text := fmt.Sprintf(usage, "./"+filepath.Base(paths[i]), c.prediction, c.path, c.path)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
	}
	args = append(args, written(t, hostile(t))[2])
	if out, err := exec.CommandContext(t.Context(), node, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
