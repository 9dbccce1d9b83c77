package workbench

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/config"
	_ "github.com/tskgraph/tskgraph/internal/export/targets"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// fault calls a method that must fail with an error of a kind.
func fault(t *testing.T, b *Bench, method, args, kind, text string) {
	t.Helper()
	_, err := b.Call(context.Background(), method, json.RawMessage(args), nil)
	if err == nil {
		t.Errorf("%s %s: no error", method, args)
	} else if _, is := message.ExitCode(err); is != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("%s %s: %s error %v, want %s with %q", method, args, is, err, kind, text)
	}
}

// TestStop: a training that is stopped keeps the best model so far, in the race the one of the setting that leads; the run can be
// reported and resumed.
func TestStop(t *testing.T) {
	for stage, args := range map[string]string{
		"rules":    `{"table": "heating.csv", "set": {"model.init": "tree", "model.membership": "sigmoid", "train.iterations": 300}}`,
		"training": `{"table": "heating.csv", "preset": "paper", "set": {"train.iterations": 1000000, "model.rules": 2}}`,
	} {
		b := bench(t)
		ctx, stop := context.WithCancel(context.Background())
		got, err := b.Call(ctx, "train", json.RawMessage(args), func(event any) {
			var e map[string]any
			recode(t, event, &e)
			if e["event"] == stage || e["stage"] == stage && e["done"].(float64) > 0 {
				stop()
			}
		})
		if err != nil {
			t.Fatalf("%s: %v", stage, err)
		}
		done := got.(trained)
		path := filepath.Join(b.options.Runs, done.Run)
		if m, err := model.Load(path); !done.Stopped || err != nil || len(words.Model(m).Rules) == 0 {
			t.Errorf("%s: %+v, %v", stage, done, err)
		}
		list, _ := ask[[]listed](t, b, "runs", "{}")
		if len(list) != 1 || !list[0].Stopped || list[0].Test == nil {
			t.Errorf("%s: %+v", stage, list)
		}
		ask[map[string]string](t, b, "report", `{"run": "`+done.Run+`"}`)
		r, err := runs.Resume(path, nil)
		if err != nil {
			t.Fatalf("%s: %v", stage, err)
		}
		r.Close()
	}
	b := bench(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := b.Call(ctx, "train", json.RawMessage(small), nil); exitKind(err) != "interrupted" {
		t.Errorf("before the first rules: %v", err)
	}
}

func exitKind(err error) string {
	_, kind := message.ExitCode(err)
	return kind
}

// TestEditedCurves: a race starts with edited rules that have curves, without these.
func TestEditedCurves(t *testing.T) {
	testenv.SkipRace(t)
	b := bench(t)
	const set = `"set": {"train.iterations": 40, "train.race": "[{curves: shared}, {l2: 0.01}]", "train.race_splits": 2, ` +
		`"model.curves": "shared"}`
	first, _ := ask[trained](t, b, "train", `{"table": "heating.csv", `+strings.Replace(set, "{l2: 0.01}",
		"{curves: shared, l2: 0.01}", 1)+`}`)
	if modelOf(t, filepath.Join(b.options.Runs, first.Run)).RuleBase.Curves == nil {
		t.Fatal("the first model has no curves")
	}
	rules, _ := ask[map[string]string](t, b, "rules", `{"run": "`+first.Run+`"}`)
	text, err := json.Marshal(edited{first.Run, rules["yaml"]})
	if err != nil {
		t.Fatal(err)
	}
	second, _ := ask[trained](t, b, "train", `{"table": "heating.csv", "from": `+string(text)+`, `+set+`}`)
	if !slices.ContainsFunc(second.Notes, func(n string) bool { return strings.HasPrefix(n, "the curves of "+first.Run+" are left out") }) {
		t.Errorf("notes %q", second.Notes)
	}
}

// TestEdited: training starts with edited rules and leaves frozen parts as they are, to the bit; the run keeps the rules, and its
// configuration gives the model again.
func TestEdited(t *testing.T) {
	b := bench(t)
	first, _ := ask[trained](t, b, "train", small)
	rules, _ := ask[map[string]string](t, b, "rules", `{"run": "`+first.Run+`"}`)
	text := strings.Replace(rules["yaml"], "\n    then:", "\n    keep: all\n    then:", 1)
	if text == rules["yaml"] {
		t.Fatalf("no THEN part in %.500s", text)
	}
	arguments, err := json.Marshal(map[string]any{"table": "heating.csv", "from": edited{first.Run, text},
		"set": map[string]any{"train.iterations": 40}})
	if err != nil {
		t.Fatal(err)
	}
	second, _ := ask[trained](t, b, "train", string(arguments))
	path := filepath.Join(b.options.Runs, second.Run)
	if second.Run == first.Run || second.Summary.Rules != first.Summary.Rules ||
		!slices.ContainsFunc(second.Notes, func(n string) bool { return strings.Contains(n, "of which 1 have parts") }) {
		t.Errorf("%+v", second)
	}
	if string(read(t, filepath.Join(path, runs.StartFile))) != text {
		t.Error("the rules are not kept")
	}
	before, after := modelOf(t, filepath.Join(b.options.Runs, first.Run)), modelOf(t, path)
	kept, changed := 0, 0
	for r, k := range after.RuleBase.Keep {
		same := slices.Equal(before.RuleBase.Consequents[r], after.RuleBase.Consequents[r])
		switch {
		case k != 0 && same:
			kept++
		case !same:
			changed++
		}
	}
	if kept != 1 || changed == 0 {
		t.Errorf("%d rules are kept, %d have changed", kept, changed)
	}
	if got := trainAgain(t, config.Source{Path: filepath.Join(path, "config.yaml")}); !bytes.Equal(got,
		read(t, filepath.Join(path, "model.json"))) {
		t.Error("config.yaml gives another model")
	}
	short, _ := json.Marshal(map[string]any{"from": edited{first.Run, text}, "set": map[string]any{"train.iterations": 40}})
	third, _ := ask[trained](t, b, "train", string(short)) // the table is that of the run
	if got := read(t, filepath.Join(b.options.Runs, third.Run, "model.json")); third.Summary.Data != "heating" ||
		*third.Summary.Figures["rmse_test"] != *second.Summary.Figures["rmse_test"] || len(got) == 0 {
		t.Errorf("%+v", third.Summary)
	}
	path = filepath.Join(b.options.Runs, third.Run, runs.ConfigFile)
	piped := regexp.MustCompile(`path: .*`).ReplaceAll(read(t, path), []byte(`path: "-"`))
	if err := os.WriteFile(path, piped, 0o600); err != nil {
		t.Fatal(err)
	}
	fault(t, b, "train", `{"from": {"run": "`+third.Run+`", "rules": ""}}`, "usage", "standard input: name a table")
	before3, _ := os.ReadDir(b.options.Runs)
	fault(t, b, "train", `{"table": "heating.csv", "from": {"run": "`+first.Run+`", "rules": "rules: 3"}}`, "config", "start.yaml:1")
	fault(t, b, "train", `{"table": "heating.csv", "from": {"run": "../x", "rules": ""}}`, "usage", "not a name")
	fault(t, b, "train", `{"table": "heating.csv", "from": {"run": "`+first.Run+`", "rules": "rules:\n- if: nosuch is 3\n  then: 1\n"}}`,
		"config", "nosuch")
	fault(t, b, "train", `{"preset": "paper", "from": {"run": "`+first.Run+`", "rules": ""}}`, "usage", "table")
	if after, _ := os.ReadDir(b.options.Runs); len(after) != len(before3) {
		t.Errorf("trainings that failed to start left directories: %v", after)
	}
}

func modelOf(t *testing.T, path string) *model.Model {
	t.Helper()
	m, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRuns: words, comparison, command, exports and removal of runs.
func TestRuns(t *testing.T) {
	testenv.SkipRace(t)
	b := bench(t)
	ask[trained](t, b, "train", small)
	ask[trained](t, b, "train", strings.Replace(small, `"train.iterations": 60`, `"train.iterations": 90, "model.rules": 3`, 1))
	names := []string{"heating-sigmoid-001", "heating-sigmoid-002"}
	w, _ := ask[worded](t, b, "words", `{"run": "`+names[0]+`"}`)
	if !strings.Contains(w.Words, "THEN heating is about") || len(w.Rules) == 0 || !strings.HasPrefix(w.Rules[0].Text, "IF ") {
		t.Errorf("%+v", w)
	}
	same, _ := ask[comparison](t, b, "compare", `{"runs": ["heating-sigmoid-001", "heating-sigmoid-002"]}`)
	if !same.SameRows || same.Rows[0].What != "RMSE, test" || same.Rows[0].Better == "" || len(same.Rules[0]) == 0 || len(same.Rules[1]) != 3 {
		t.Errorf("%+v", same)
	}
	if !slices.ContainsFunc(same.Settings, func(d difference) bool { return d.What == "model.rules" && d.B == "3" }) {
		t.Errorf("%+v", same.Settings)
	}
	ask[trained](t, b, "train", strings.Replace(small, `"train.iterations": 60`,
		`"train.iterations": 60, "data.split_seed": 5, "data.na": {"wind": ["-9"]}`, 1))
	other, _ := ask[comparison](t, b, "compare", `{"runs": ["heating-sigmoid-001", "heating-sigmoid-003"]}`)
	if other.SameRows || !strings.Contains(other.Note, "different test rows") {
		t.Errorf("%+v", other)
	}
	lines, _ := ask[map[string][]string](t, b, "command", `{"run": "heating-sigmoid-001"}`)
	if len(lines["lines"]) != 2 || lines["lines"][0] != "tskgraph train --config heating-sigmoid-001-config.yaml" ||
		!strings.Contains(lines["lines"][1], "--set data.target=heating") {
		t.Errorf("%q", lines)
	}
	for _, target := range exports() {
		given := map[string]string{"run": names[1], "target": target.Target}
		if len(target.Asks) > 0 {
			args, _ := json.Marshal(given)
			fault(t, b, "export", string(args), "usage", target.Asks[0]+": missing")
		}
		for _, name := range target.Asks {
			given[name] = "rows"
		}
		args, _ := json.Marshal(given)
		if target.Target == runs.StartFile {
			fault(t, b, "export", string(args), "usage", "did not start with edited rules")
			continue
		}
		got, _ := ask[file](t, b, "export", string(args))
		content, err := base64.StdEncoding.DecodeString(got.Base64)
		if err != nil || len(content) == 0 || !strings.HasPrefix(got.Name, names[1]) || got.Type == "" {
			t.Errorf("%s: %s, %d bytes, %v", target.Target, got.Name, len(content), err)
		}
	}
	if got, _ := ask[file](t, b, "export", `{"run": "heating-sigmoid-003", "target": "c"}`); !strings.Contains(strings.Join(got.Notes, "\n"),
		"(data.na) are not part of the export") {
		t.Errorf("notes %q", got.Notes)
	}
	fault(t, b, "export", `{"run": "heating-sigmoid-001", "target": "cc"}`, "usage", `did you mean "c"?`)
	if err := os.WriteFile(filepath.Join(b.options.Runs, names[1], "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, kept := range []int{0, 1} {
		gone, _ := ask[removed](t, b, "delete", `{"run": "`+names[i]+`"}`)
		if _, err := os.Stat(filepath.Join(b.options.Runs, names[i])); len(gone.Kept) != kept || os.IsNotExist(err) != (kept == 0) {
			t.Errorf("%s: %+v, %v", names[i], gone, err)
		}
	}
	ask[removed](t, b, "forget", "")
	if s, _ := ask[started](t, b, "start", ""); len(s.Tables) != 0 || len(s.Runs) != 1 {
		t.Errorf("after forget: %+v", s)
	}
	b.options.Private = true
	ask[removed](t, b, "forget", "")
	if s, _ := ask[started](t, b, "start", ""); len(s.Runs) != 0 {
		t.Errorf("after forget: %+v", s)
	}
}

// TestMeasures: the figure of a run is that of its metric, and a committee says where its rules are.
func TestMeasures(t *testing.T) {
	b := bench(t)
	for args, metric := range map[string]string{
		`{"table": "heating.csv", "preset": "paper", "set": {"train.iterations": 9, "train.loss": "quantile", "train.quantiles": [0.1, ` +
			`0.9]}}`: "pinball loss, test",
		`{"table": "heating.csv", "preset": "paper", "set": {"train.iterations": 9, ` +
			`"train.loss": "absolute"}}`: "MAE, test",
		`{"table": "heating.csv", "preset": "paper", "set": {"train.iterations": 9, ` +
			`"train.members": 2}}`: "RMSE, test",
		`{"table": "heating.csv", "preset": "paper", "target": ["day"], ` +
			`"set": {"train.iterations": 9}}`: "log loss, test",
	} {
		done, _ := ask[trained](t, b, "train", args)
		train, test := errorsOf(done.Summary)
		all := figures(done.Summary, done.Summary, true)
		at := slices.IndexFunc(all, func(f difference) bool { return f.What == metric })
		if got := all[at].A; test == nil || got != *test ||
			!strings.HasSuffix(done.Summary.Metric+", test", metric) {
			t.Errorf("%s, metric %s: %v, %v", args, done.Summary.Metric, test, got)
		}
		if (train == nil) != (metric[0] == 'M') {
			t.Errorf("%s: training error %v", metric, train)
		}
		if done.Summary.Members > 0 {
			fault(t, b, "rules", `{"run": "`+done.Run+`"}`, "usage", "committee of 2")
		}
	}
}

// TestPresets: a page offers all presets.
func TestPresets(t *testing.T) {
	var names []string
	for _, p := range presets {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	if want := slices.Sorted(slices.Values(recipe.Presets())); !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// TestBuildsForPages: the package compiles for WebAssembly and links nothing there that a page does not need.
func TestBuildsForPages(t *testing.T) {
	testenv.SkipRace(t)
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for dep := range strings.FieldsSeq(string(out)) {
		for _, heavy := range []string{"net", "net/http", "github.com/spf13/pflag", "github.com/spf13/viper", "github.com/spf13/cobra",
			"github.com/olekukonko/tablewriter", "gonum.org/v1/plot", "github.com/xuri/excelize/v2", "github.com/parquet-go/parquet-go",
			"database/sql"} {
			if dep == heavy {
				t.Errorf("it links %s", dep)
			}
		}
	}
}
