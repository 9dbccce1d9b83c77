package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

func encode(t *testing.T, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	noError(m.Encode(&b))
	return b.Bytes()
}

func decode(t *testing.T, b []byte) *Model {
	t.Helper()
	return testenv.Must(Decode(bytes.NewReader(b)))
}

// seal returns a file with the given content, text or tree, and a valid checksum.
func seal(t *testing.T, content any) []byte {
	t.Helper()
	inner, ok := content.([]byte)
	if !ok {
		var err error
		if inner, err = json.Marshal(content); err != nil {
			t.Fatal(err)
		}
	}
	return []byte(`{"format":"tskgraph model","version":` + strconv.Itoa(fileVersion) + `,"checksum":"` + checksum(inner) + `","content":` +
		string(inner) + "}")
}

// tree returns a model's content as decoded JSON.
func tree(t *testing.T, m *Model) map[string]any {
	t.Helper()
	var e envelope
	var c map[string]any
	noError(json.Unmarshal(encode(t, m), &e))
	d := json.NewDecoder(bytes.NewReader(e.Content))
	d.UseNumber()
	noError(d.Decode(&c))
	return c
}

// remove is the value with which put deletes a field.
type remove struct{}

// put sets the field at a path such as "features.0.mean".
func put(t *testing.T, in any, path string, value any) {
	t.Helper()
	name, rest, deeper := strings.Cut(path, ".")
	switch in := in.(type) {
	case map[string]any:
		if deeper {
			put(t, in[name], rest, value)
		} else if in[name] = value; value == (remove{}) {
			delete(in, name)
		}
	case []any:
		i := testenv.Must(strconv.Atoi(name))
		if deeper {
			put(t, in[i], rest, value)
		} else {
			in[i] = value
		}
	default:
		t.Fatalf("there is no %s", path)
	}
}

func TestEncodeTwice(t *testing.T) {
	m := small()
	for _, key := range strings.Split("abcdefghijkl", "") {
		m.Training.Options[key] = key
	}
	first := encode(t, m)
	m.Training.Options = maps.Clone(m.Training.Options)
	if !bytes.Equal(first, encode(t, m)) || first[len(first)-1] != '\n' {
		t.Error("encoding the same model twice gives different bytes, or no newline at the end")
	}
}

// The format must stay readable; the example uses the file.
func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "model.json")
	want := testenv.Must(os.ReadFile(path))
	if got := encode(t, small()); !bytes.Equal(got, want) {
		t.Errorf("the format has changed: increase the version, or keep older files readable\n%s", got)
	}
	refused(t, "version 0", bytes.Replace(want, []byte(`"version": 5`), []byte(`"version": 0`), 1), "version is 0")
	if older := decode(t, bytes.Replace(want, []byte(`"version": 5`), []byte(`"version": 1`), 1)); !reflect.DeepEqual(older, small()) {
		t.Errorf("a file of version 1 is read as %+v", older)
	}
	for _, path := range []string{path, filepath.Dir(path)} { // a run directory is accepted, too
		if _, err := Load(path); err != nil {
			t.Error(err)
		}
	}
}

func TestSaveIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model.json")
	noError(small().Save(path))
	want := encode(t, small())
	open := testenv.Must(os.Open(path))
	defer open.Close()

	bad := small()
	bad.RuleBase.Consequents[0][0] = math.NaN()
	if err := bad.Save(path); err == nil {
		t.Error("a model that is not finite was saved")
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("a failed save changed the file: %v", err)
	}
	if runtime.GOOS != "windows" {
		noError(smallTrapezoid().Save(path))
		if got, err := io.ReadAll(open); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the file was written in place: a reader saw %d of %d bytes, %v", len(got), len(want), err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	if err := small().Save(filepath.Join(dir, "none", "model.json")); err == nil {
		t.Error("saved into a directory that does not exist")
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	missing, damaged := filepath.Join(dir, "missing.json"), filepath.Join(dir, "damaged.json")
	noError(os.WriteFile(damaged, []byte("{}"), 0o600))
	for _, path := range []string{missing, damaged} {
		if _, err := Load(path); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Load(missing); !errors.Is(err, os.ErrNotExist) {
		t.Error("no fs.ErrNotExist")
	}
}

func TestNotSaved(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Model)
		want  string
	}{
		{func(m *Model) { m.RuleBase.Antecedents = m.RuleBase.Antecedents[:1] }, "1 antecedent parameters"},
		{func(m *Model) { m.RuleBase.Antecedents[1][0][0] = 0.01 }, "sigma[r=0,m=0]"},
		{func(m *Model) { m.RuleBase.Shape = nil }, "no membership shape"},
		{func(m *Model) { m.Rules = nil }, "rules: 0 summaries of 2 rules"},
		{func(m *Model) { m.Features[0].Name = "b" }, "features[0].name"},
		{func(m *Model) { m.Features[0].Max = math.Inf(1) }, `features[0] ("a"): mean, min and max`},
		{func(m *Model) { m.Target.Mean = math.NaN() }, "target: mean NaN"},
		{func(m *Model) { m.Features[0].SD = math.Inf(1) }, "features[0].sd"},
		{func(m *Model) { m.Training.Metrics["rmse_train"] = math.NaN() }, "NaN"},
	} {
		m := small()
		c.spoil(m)
		err := m.Encode(io.Discard)
		if err == nil || !strings.Contains(err.Error(), "not saved") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// refused checks that Decode rejects a file with an error that names the fault.
func refused(t *testing.T, name string, file []byte, want string) {
	t.Helper()
	m, err := Decode(bytes.NewReader(file))
	if err == nil {
		t.Errorf("%s: read as %+v", name, m)
	} else if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v; want %q", name, err, want)
	}
}

// edit changes a field of the content of a file, for which it is refused with an error that names the fault.
type edit struct {
	path  string
	value any
	want  string
}

func refusedEdits(t *testing.T, m *Model, edits []edit) {
	t.Helper()
	for _, e := range edits {
		content := tree(t, m)
		put(t, content, e.path, e.value)
		refused(t, e.path, seal(t, content), e.want)
	}
}

// refusedValues checks that values of a field are refused, each with an error that names the fault.
func refusedValues(t *testing.T, m *Model, path string, values map[string]any) {
	t.Helper()
	for want, value := range values {
		refusedEdits(t, m, []edit{{path, value, want}})
	}
}

func TestDecodeRefusesEnvelope(t *testing.T) {
	good := string(encode(t, small()))
	edit := func(old, new string) []byte {
		if !strings.Contains(good, old) {
			t.Fatalf("there is no %s in %s", old, good)
		}
		return []byte(strings.Replace(good, old, new, 1))
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "EOF"},
		{"null", []byte("null"), "it is null"},
		{"no object", []byte("[1]"), "it is a list, want an object"},
		{"other JSON", []byte(`{"a": 1}`), `unknown field "a"`},
		{"unknown field", edit(`"format"`, `"note": 1, "format"`), `unknown field "note"`},
		{"other format", edit("tskgraph model", "other model"), `format is "other model"`},
		{"newer", edit(`"version": 5`, `"version": 6`), "version is 6; this program reads versions 1 to 5"},
		{"no version", edit(`"version": 5,`, ``), "version is missing"},
		{"edited", edit(`"mean": 10`, `"mean": 11`), "checksum"},
		{"edited checksum", edit("sha256:", "sha256:0"), "checksum"},
		{"no checksum", edit(`"checksum"`, `"format"`), "format appears twice"},
		{"no content", []byte(`{"format":"tskgraph model","version":1,"checksum":""}`), "content"},
		{"garbage", append([]byte(good), 'x'), "after the JSON value"},
		{"another", append([]byte(good), good...), "after the JSON value"},
		{"brace", append([]byte(good), '}'), "after the JSON value"},
	} {
		refused(t, c.name, c.file, c.want)
	}
}

// everything returns models with all that a file can hold, by what they hold.
func everything(t testing.TB) map[string]*Model {
	t.Helper()
	all := withResponses()
	add := func(name string, m *Model, change func(rb *rules.RuleBase)) {
		if change != nil {
			change(m.RuleBase)
		}
		all[name] = m
	}
	add("small", small(), nil)
	add("trapezoid", smallTrapezoid(), nil)
	add("committee with intervals", smallCommittee(t), nil)
	add("transforms and limits", smallBent(), nil)
	add("components", reduced(), nil)
	add("a formula", smallWritten(t), nil)
	add("neighbours", smallNear(t), nil)
	add("splits", smallTree(), nil)
	add("tie", smallTied(), nil)
	add("merge weights", small(), func(rb *rules.RuleBase) { rb.MergeWeights = []int{3, 1} })
	add("signs", small(), func(rb *rules.RuleBase) {
		rb.Signs = []int{0, 1, -1}[:rb.Features()+1]
		rules.ProjectSigns(rb)
	})
	add("keep", small(), func(rb *rules.RuleBase) { rb.Keep = []rules.Keep{rules.KeepAll, 0} })
	quantiles := small()
	quantiles.MeasureQuantiles([][]float64{{7}, {10}, {13}}, nil)
	add("feature quantiles", quantiles, nil)
	for i, name := range membership.Names() {
		m, _ := random(t, testenv.Must(membership.Lookup(name)), uint64(i))
		add(name, m, nil)
	}
	add("shared curves", smallCurved(false), nil)
	add("own curves", smallCurved(true), nil)
	for _, norm := range inference.TNorms() {
		for _, by := range inference.Defuzzifications() {
			add(norm.Name()+", "+by.Name(), small(), func(rb *rules.RuleBase) {
				if norm != (inference.Product{}) {
					rb.TNorm = norm
				}
				if by != (inference.TSK{}) {
					rb.Defuzzification = by
				}
			})
		}
	}
	return all
}

// TestFilesHoldEverything: models are read back as they were, alone and as members of a committee.
func TestFilesHoldEverything(t *testing.T) {
	for name, m := range everything(t) {
		models := []*Model{m}
		if !m.Committee() && m.Neighbours == nil {
			models = append(models, testenv.Must(NewCommittee(m.Preprocessing, []*Model{m, m}, m.Training)))
		}
		for _, m := range models {
			file := encode(t, m)
			again := decode(t, file)
			if !bytes.Equal(encode(t, again), file) || !reflect.DeepEqual(again, m) {
				t.Errorf("%s: read %+v, saved %+v", name, again, m)
			}
		}
	}
	m := small()
	file := encode(t, m)
	m.RuleBase.TNorm, m.RuleBase.Defuzzification = inference.Product{}, inference.TSK{}
	if !bytes.Equal(encode(t, m), file) {
		t.Error("the paper's t-norm and defuzzification leave a trace")
	}
}

// TestDecodeRefusesRuleFields: merge weights, kept parts, ties and quantiles are checked.
func TestDecodeRefusesRuleFields(t *testing.T) {
	all := everything(t)
	refusedValues(t, all["merge weights"], "merge_weights", map[string]any{"1 merge weights": []int{3}, "0 merge weights": []int{},
		"merge weight[r=1] = 0": []int{3, 0}, "1.5": []float64{1.5, 1}})
	refusedValues(t, all["keep"], "keep", map[string]any{"1 sets of parts": []string{"if"}, `keep: "some"`: []string{"some", ""},
		"keep[0] is a number, want a text": []int{3, 0}})
	refusedValues(t, all["feature quantiles"], "features.0.quantiles", map[string]any{"3 values": []float64{1, 2, 3},
		"must increase": make([]float64, QuantileSteps+1)})
	refusedValues(t, all["tie"], "tie", map[string]any{"but it is tied to": [][]int{{3}, {3}}, "tie: 1 rows": [][]int{{0}},
		"must lie between 0 and 2147483647": [][]int{{0}, {-1}}, "tie[r=1]: 0 labels": []any{[]int{0}, []int{}},
		"tie[1] is null": []any{[]int{0}, nil}})
}

func TestDecodeRefusesContent(t *testing.T) {
	decode(t, seal(t, tree(t, small()))) // an edit that changes nothing
	overflow := json.RawMessage("1e400")
	row := func(v ...any) any { return append([]any{}, v...) }
	refusedEdits(t, small(), []edit{
		{"note", 1, `unknown field "note"`},
		{"target.median", 1, `unknown field "median"`},
		{"training.note", 1, `unknown field "note"`},

		// a number that is missing or null must not become 0
		{"target.mean", remove{}, "target.mean is missing"},
		{"features.0.min", remove{}, "features[0].min is missing"},
		{"training.seed", remove{}, "training.seed is missing"},
		{"schema", remove{}, "schema"},
		{"rules", remove{}, "rules"},
		{"features.0.mean", nil, "features[0].mean is null"},
		{"antecedents.c.1.0", nil, "antecedents.c[1][0] is null"},
		{"consequents.0.1", nil, "consequents[0][1] is null"},
		{"rules.1.share", nil, "rules[1].share is null"},
		{"training.metrics.rmse_train", nil, "training.metrics.rmse_train is null"},
		{"target", nil, "target"},
		{"features.0", nil, "features[0]"},

		{"schema.columns", row(), "no columns"},
		{"schema.target", "", "target"},
		{"schema.columns.0.encoding", "roman", "encoding"},
		{"schema.columns.0.name", "b", "features[0].name"},
		{"schema.columns.0.limits", map[string]any{}, "no limit"},
		{"schema.columns.0.limits", map[string]any{"low": 5, "high": 4}, "the first must be below the second"},
		{"schema.columns.0.limits", map[string]any{"high": 12}, "max 13 are not within the limits of the column, at most 12"},
		{"schema.columns.0.unused", true, "schema.columns[0].unused"},
		{"missing", "drop", "missing"},

		{"features.0.name", "b", "features[0].name"},
		{"features.0.sd", 0, "features[0].sd"},
		{"features.0.sd", -1, "features[0].sd"},
		{"features.0.mean", overflow, "mean"},
		{"features.0.mean", "NaN", "mean"},
		{"features.0.min", 14, "min 14 is above max 13"},
		{"features.0.constant", true, "schema.columns[0].unused"},
		{"features", row(), "features: 0; the schema has 1"},
		{"target.min", 9, "target"},

		{"membership", "sigmoidal", `"sigmoidal"`},
		{"spread_floor", 0, "spread floor"},
		{"antecedents.sigma", remove{}, "antecedents: sigma is missing"},
		{"antecedents.d", row(row(1), row(2)), "antecedents: [c d sigma]"},
		{"antecedents.c", row(row(0)), "c: 1 rows"},
		{"antecedents.c.1", row(0, 0), "c[r=1]: 2 values"},
		{"antecedents.c.0.0", overflow, "antecedents"},
		{"antecedents.c.0.0", "NaN", "antecedents"},
		{"antecedents.sigma.0.0", 0.05, "sigma[r=0,m=0] = 0.05"}, // below the floor
		{"antecedents.sigma.1.0", -1, "sigma[r=1,m=0] = -1"},
		{"consequents", row(), "0 rules"},
		{"consequents.1", row(1), "w[r=1]: 1 values"},
		{"consequents.1", row(1, 2, 3), "w[r=1]: 3 values"},

		{"rules", row(map[string]any{"share": 1, "samples": 1}), "rules: 1 summaries of 2 rules"},
		{"rules.0.share", 1.01, "rules[0]: share 1.01"},
		{"rules.1.share", -0.01, "rules[1]: share -0.01"},
		{"rules.1.samples", -1, "rules[1]"},
		{"rules.1.samples", 5, "rules[1]"}, // of 4
		{"rules.1.samples", 0.5, "samples"},
		{"training.samples", 0, "training: 0 samples"},
		{"training.iterations", -1, "-1 iterations"},
		{"training.seed", -1, "seed"},
	})
}

func TestDecodeRefusesMore(t *testing.T) {
	content := tree(t, smallTrapezoid())
	decode(t, seal(t, content))
	put(t, content, "antecedents.b.1.0", 5.5) // above c
	refused(t, "unordered trapezoid", seal(t, content), "b[r=1,m=0] = 5.5")

	content = tree(t, small())
	content["membership"] = "trapezoid"
	refused(t, "Gaussian rules as trapezoids", seal(t, content), "antecedents: a is missing")

	// One feature more than the rules have.
	content = tree(t, small())
	content["schema"].(map[string]any)["columns"] = []any{map[string]any{"name": "a", "encoding": "numeric"},
		map[string]any{"name": "b", "encoding": "numeric"}}
	f := content["features"].([]any)
	g := maps.Clone(f[0].(map[string]any))
	g["name"] = "b"
	content["features"] = append(f, g)
	refused(t, "two features", seal(t, content), "features: 2 are used, but the rules have 1")

	// encoding/json merges duplicate fields and ignores case.
	inner := testenv.Must(json.Marshal(tree(t, small())))
	edit := func(old, new string) []byte { return seal(t, []byte(strings.Replace(string(inner), old, new, 1))) }
	refused(t, "twice", edit(`"antecedents":`, `"antecedents":{"c":[[0],[2]]},"antecedents":`), "antecedents appears twice")
	refused(t, "the same, twice", edit(`"mean":5`, `"mean":5,"mean":5`), "target.mean appears twice")
	refused(t, "a parameter twice", edit(`"sigma":`, `"c":[[0],[2]],"sigma":`), "antecedents.c appears twice")
	refused(t, "twice, in other case", edit(`"mean":5`, `"mean":5,"Mean":6`), `target: unknown field "Mean"`)
	refused(t, "another case", edit(`"consequents":`, `"Consequents":`), `content: unknown field "Consequents"`)
}

func TestDecodeRefusesNeighbours(t *testing.T) {
	row := func(v ...any) any { return append([]any{}, v...) }
	decode(t, seal(t, tree(t, smallNear(t))))
	refusedEdits(t, smallNear(t), []edit{
		{"neighbours", map[string]any{}, "neighbours.k is missing"},
		{"neighbours.index", 1, `unknown field "index"`},
		{"neighbours.", 1, `unknown field ""`},
		{"neighbours.k", 0, "neighbours.k: 0: must lie between 1 and 1000"},
		{"neighbours.k", 1001, "neighbours.k: 1001"},
		{"neighbours.power", 3, "neighbours.power: 3"},
		{"neighbours.weight", 0, "neighbours.weight: 0"},
		{"neighbours.weight", 1.5, "neighbours.weight: 1.5"},
		{"neighbours.sensitivity", row(1, 1), "neighbours.sensitivity: 2 numbers; 1 features are used"},
		{"neighbours.sensitivity.0", 2, "neighbours.sensitivity: [2]"},
		{"neighbours.rows", row(), "neighbours.rows: there are none"},
		{"neighbours.rows.1", row(1, 2), "neighbours.rows[1]: 2 numbers"},
		{"neighbours.rows.1", nil, "neighbours.rows[1] is null"},
		{"neighbours.rows.1.0", "x", "neighbours.rows[1][0] is a text"},
		{"neighbours.targets", row(1), "neighbours.targets: 1 of 4 rows"},
		{"neighbours.weights", row(1), "neighbours.weights: 1 of 4 rows"},
		{"neighbours.weights", row(1, 1, 0, 1), "neighbours.weights: must be positive"},
		{"neighbours.without", -1, "without -1"},
	})
	content := tree(t, smallNear(t))
	put(t, content, "features.0.mean", json.Number("1e308"))
	put(t, content, "features.0.min", json.Number("-1e308"))
	put(t, content, "features.0.max", json.Number("1.7e308"))
	put(t, content, "features.0.sd", json.Number("1e-9"))
	refused(t, "far", seal(t, content), "neighbours.rows: ")
}

// A file keeps the mark of an unused categorical column.
func TestDecodeUnused(t *testing.T) {
	m, _ := random(t, membership.Gaussian{}, 4)
	refusedEdits(t, m, []edit{{"schema.columns.3.unused", remove{}, `schema.columns[3].unused ("flat")`},
		{"schema.columns.0.levels.2", "X", `features[2].name: "sex=M"; the schema has "sex=X"`}})
}

// A file with any changed byte, or truncated anywhere, is rejected or decodes to the
// same model. For the smallest model, every bit is tried.
func TestDamage(t *testing.T) {
	testenv.SkipRace(t)
	all := everything(t)
	for _, name := range []string{"small", "trapezoid", "committee with intervals", "transforms and limits", "components", "a formula",
		"neighbours"} {
		file := encode(t, all[name])
		check := func(what string, at int, b []byte) {
			m, err := Decode(bytes.NewReader(b))
			if err != nil && !errors.Is(err, ErrFile) {
				t.Errorf("%s, %s at byte %d: %v", name, what, at, err)
			}
			if err == nil && !bytes.Equal(encode(t, m), file) {
				t.Errorf("%s, %s at byte %d: decoded to a different model", name, what, at)
			}
		}
		step := testenv.CaseNumber(5, 3, 1)
		if name == "small" {
			step = 1
		}
		for i := 0; i < len(file); i += step {
			check("cut", i, file[:i])
			bits := []int{i / step % 8}
			if name == "small" {
				bits = []int{0, 1, 2, 3, 4, 5, 6, 7}
			}
			for _, bit := range bits {
				b := bytes.Clone(file)
				b[i] ^= 1 << bit
				check("flipped", i, b)
			}
		}
		if _, err := Decode(bytes.NewReader(file[:len(file)-2])); err == nil {
			t.Errorf("%s: read without its last brace", name)
		}
	}
}

// smallWritten has a shape that is defined by a formula in the file.
func smallWritten(t testing.TB) *Model {
	t.Helper()
	least := 0.05
	shape, err := membership.Formula{Name: "mine", Expr: "1/(1+((x-c)/s)^2)", Params: []membership.FormulaParam{{Name: "c",
		Init: "center"}, {Name: "s", Init: "spread", Min: &least}}}.Shape()
	if err != nil {
		t.Fatal(err)
	}
	m := small()
	m.RuleBase.Shape = shape
	return m
}

func TestIndentation(t *testing.T) {
	m, _ := random(t, membership.Trapezoid{}, 5)
	file := encode(t, m)
	var wide, dense bytes.Buffer
	noError(json.Indent(&wide, file, "\t", "    "))
	noError(json.Compact(&dense, file))
	for _, b := range []*bytes.Buffer{&wide, &dense} {
		if got := encode(t, decode(t, b.Bytes())); !bytes.Equal(got, file) {
			t.Error("decoded to a different model")
		}
	}
}
