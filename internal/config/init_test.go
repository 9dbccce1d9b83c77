package config

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// trainOn trains shortly with the configuration that Init makes for a table and a preset, as
// train --config would.
func trainOn(t *testing.T, path, target, preset string, set ...string) (*Initial, *Config) {
	t.Helper()
	initial := testenv.Must(Init(data.Input{Name: path}, InitOptions{Targets: named(target), Preset: preset}))
	c, err := load(t, string(initial.YAML), nil, append(set, "train.iterations=20"))
	if err != nil {
		t.Fatalf("%v in\n%s", err, initial.YAML)
	}
	parts, err := c.Data.Load(context.Background())
	if err != nil {
		t.Fatalf("%v with\n%s", err, initial.YAML)
	}
	if _, err := (ensemble.Run{Recipe: c.Recipe}).Train(context.Background(), parts.Train, parts.Validation); err != nil {
		t.Fatalf("%v with\n%s", err, initial.YAML)
	}
	return initial, c
}

// named is a list of the name, if there is one.
func named(target string) []string {
	if target == "" {
		return nil
	}
	return []string{target}
}

// TestInitReal: the last column of each real table is its target, nothing is left out, and
// training works.
func TestInitReal(t *testing.T) {
	if testenv.Race {
		t.Skip("too slow with the race detector, and on one goroutine")
	}
	dir := testenv.Data(t)
	paths, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil || len(paths) < 10 {
		t.Fatal(paths, err)
	}
	for _, path := range testenv.Share(paths, 8, 1) {
		initial, c := trainOn(t, path, "", "robust", "train.race=[]")
		text := testenv.Must(os.ReadFile(path))
		header := strings.Split(strings.SplitN(string(text), "\n", 2)[0], ",")
		if initial.Targets[0] != header[len(header)-1] || initial.Inputs != len(header)-1 || len(c.Data.Ignore) > 0 || !initial.Guessed {
			t.Errorf("%s: %s from %d, without %v", path, initial.Targets[0], initial.Inputs, c.Data.Ignore)
		}
		if c.Recipe.Model.Rules != 32 || c.Recipe.Model.Antecedents != 0 {
			t.Errorf("%s: %+v", path, c.Recipe.Model)
		}
	}
}

// TestInitDrawn: whatever strange columns a table has and however small it is, training works
// with the configuration of either preset.
func TestInitDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	pick := func(cells ...string) string { return cells[rng.IntN(len(cells))] }
	columns := map[string]func(i int) string{
		"id":         func(i int) string { return fmt.Sprint(1000 - i) },
		"row":        func(i int) string { return fmt.Sprint(i) },
		"customerId": func(i int) string { return fmt.Sprintf("c%d", i) },
		"site":       func(i int) string { return fmt.Sprint(i / 3) },
		"date":       func(i int) string { return fmt.Sprintf("2021-01-%02d", 1+i%28) },
		"year":       func(i int) string { return fmt.Sprint(1950 + i) },
		"const":      func(int) string { return "7" },
		"empty":      func(int) string { return "" },
		"half":       func(int) string { return pick("", fmt.Sprint(rng.NormFloat64())) },
		"rare":       func(int) string { return pick("", "", "", "", "", "", "", "", "1", "2") },
		"sex":        func(int) string { return pick("M", "F", "?") },
		"dose":       func(int) string { return pick("1", "2", "none", "") },
		"comma":      func(int) string { return fmt.Sprintf("\"%d,%d\"", rng.IntN(9), rng.IntN(9)) },
		"text":       func(i int) string { return fmt.Sprintf("words %d of it", rng.IntN(1000)) },
		"code":       func(int) string { return pick("1a", "2b", "3#") },
		"dirty":      func(int) string { return pick("1.5", "2", "n.a.", fmt.Sprint(rng.Float64())) },
		"a: \"b\" #": func(int) string { return fmt.Sprint(rng.IntN(3)) },
		"inf":        func(int) string { return pick("1", "2", "inf") },
		"dash":       func(int) string { return pick("-", "1.5", fmt.Sprint(rng.Float64()), fmt.Sprint(rng.Float64())) },
		"far":        func(int) string { return pick("-999", fmt.Sprint(rng.IntN(9)), fmt.Sprint(rng.Float64())) },
		"thousands":  func(int) string { return fmt.Sprintf("\"%d,%03d\"", rng.IntN(9), rng.IntN(999)) },
		"hex":        func(int) string { return fmt.Sprintf("%04x", rng.IntN(1<<16)) },
	}
	names := func() []string {
		var all []string
		for _, name := range []string{"id", "row", "customerId", "site", "date", "year", "const", "empty", "half", "rare", "sex", "dose",
			"comma", "text", "code", "dirty", "a: \"b\" #", "inf", "dash", "far", "thousands", "hex"} {
			if rng.IntN(2) == 0 {
				all = append(all, name)
			}
		}
		return all
	}
	for i := range 40 {
		preset := []string{"robust", "readable"}[i%2]
		n := 6 + rng.IntN(60)
		chosen := names()
		var b strings.Builder
		for _, name := range chosen {
			b.WriteString(`"` + strings.ReplaceAll(name, `"`, `""`) + `",`)
		}
		b.WriteString("x,y\n")
		for i := range n {
			for _, name := range chosen {
				b.WriteString(columns[name](i) + ",")
			}
			y := fmt.Sprint(rng.NormFloat64())
			if rng.IntN(10) == 0 {
				y = "NA"
			}
			fmt.Fprintf(&b, "%v,%s\n", rng.NormFloat64(), y)
		}
		initial, c := trainOn(t, write(t, b.String()), "y", preset, "train.race_splits=1")
		if initial.Targets[0] != "y" || c.Data.Target != "y" || initial.Guessed || c.Preset != preset {
			t.Errorf("%+v", initial)
		}
	}
}

// TestInitSizes: few rules for few rows; whether they mention all of many features is left to the race. Preset readable
// keeps its own sizes.
func TestInitSizes(t *testing.T) {
	for _, c := range []struct{ rows, features, rules int }{{20, 2, 2}, {100, 2, 8}, {1000, 2, 32}, {400, 25, 32}} {
		var b strings.Builder
		for m := range c.features {
			fmt.Fprintf(&b, "x%d,", m)
		}
		b.WriteString("y\n")
		rng := rand.New(rand.NewPCG(1, 1))
		for range c.rows {
			for range c.features {
				fmt.Fprintf(&b, "%v,", rng.Float64())
			}
			fmt.Fprintf(&b, "%v\n", rng.Float64()-0.5) // a target without limits
		}
		made := func(preset string) *Config {
			initial := testenv.Must(Init(data.Input{Name: write(t, b.String())}, InitOptions{Preset: preset}))
			got := testenv.Must(load(t, string(initial.YAML), nil, nil))
			return got
		}
		if m := made("robust").Recipe.Model; m.Rules != c.rules || m.Antecedents != recipe.Robust().Model.Antecedents {
			t.Errorf("%d rows, %d features: %d rules, %v antecedents", c.rows, c.features, m.Rules, m.Antecedents)
		}
		if got, want := made("readable").Recipe, recipe.Readable(); !reflect.DeepEqual(got.Model, want.Model) ||
			!reflect.DeepEqual(got.Settings(), want.Settings()) {
			t.Errorf("%d rows, %d features: %+v\nwant %+v", c.rows, c.features, got, want)
		}
	}
}

// TestInitOfManyColumns: what is found of thousands of columns is said once, with some of their names.
func TestInitOfManyColumns(t *testing.T) {
	if testenv.Race {
		t.Skip("too slow with the race detector, and on one goroutine")
	}
	const many = 3000
	var table strings.Builder
	for i := range many {
		fmt.Fprintf(&table, "c%d,w%d,", i, i)
	}
	table.WriteString("x,y\n")
	for n := range 30 {
		for range many {
			fmt.Fprintf(&table, "7,%c,", 'a'+n%3)
		}
		fmt.Fprintf(&table, "%d,%d\n", (n*7)%30, (n*11)%30)
	}
	path := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(path, []byte(table.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	initial := testenv.Must(Init(data.Input{Name: path}, InitOptions{Preset: "robust"}))
	notes := strings.Join(initial.Notes, "\n")
	for _, want := range []string{`3000 columns are left out, constant: "c0", "c1", `,
		`3000 columns are words, whose categories count on their own, in no order: "w0", "w1", `,
		"(3000 in all)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
	if len(notes) > 1000 {
		t.Errorf("%d bytes of notes", len(notes))
	}
	if n := strings.Count(string(initial.YAML), ": constant\n"); n != 0 ||
		!strings.Contains(string(initial.YAML), `# constant: "c0", "c1", `) {
		t.Errorf("%d columns have a remark of their own", n)
	}
}

// TestInitLineSeparators: a name with line breaks of YAML that are none in a table stays a name, which sets no key.
func TestInitLineSeparators(t *testing.T) {
	const name = "y\nx\u2028  test_path: other.csv\u2029  z"
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a,b,\""+name+"\"\n"+strings.Repeat("1,2,3\n2,3,4\n5,1,7\n", 9)), 0o600); err != nil {
		t.Fatal(err)
	}
	initial := testenv.Must(Init(data.Input{Name: path}, InitOptions{Preset: "paper"}))
	if c, err := load(t, string(initial.YAML), nil, nil); err != nil || c.Data.Target != name || c.Data.TestPath != "" {
		t.Errorf("%v in\n%s", err, initial.YAML)
	}
}

// TestInitPreset: an unknown preset is an error.
func TestInitPreset(t *testing.T) {
	if _, err := Init(data.Input{Name: write(t, "x,y\n1,2\n2,3\n3,5\n")}, InitOptions{Preset: "short"}); err == nil ||
		!strings.Contains(err.Error(), `unknown preset "short"`) {
		t.Error(err)
	}
}

// TestInitLeaks: the parts of a total and copies of the target are left out, with a note; what only rises with it, and what
// nothing would be left without, stays.
func TestInitLeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	table := func(header string, row func(a, b float64) []float64) string {
		text := header + "\n"
		for range 120 {
			a, b := float64(rng.IntN(1000)), float64(rng.IntN(500))
			text += strings.Trim(strings.ReplaceAll(fmt.Sprint(row(a, b)), " ", ","), "[]") + "\n"
		}
		return write(t, text)
	}
	for _, c := range []struct {
		path   string
		ignore []string
		note   string
	}{
		{table("temp,casual,registered,cnt", func(a, b float64) []float64 { return []float64{a + rng.NormFloat64(), a, b, a + b} }),
			[]string{"casual", "registered"}, `a leak: "cnt" = "casual" + "registered" in every row: left out (data.ignore)`},
		{table("a,euro,cent", func(a, b float64) []float64 { return []float64{b, a / 100, a} }),
			[]string{"euro"}, `a leak: "cent" = 100 "euro" in every row: left out (data.ignore)`},
		{table("a,log,y", func(a, b float64) []float64 { return []float64{b, math.Log1p(a), a} }),
			nil, `a leak? "log" rises wherever "y" does, in every row. Leave out what is not known before the target is: data.ignore: [log]`},
		{table("half,y", func(a, b float64) []float64 { return []float64{a / 2, a} }),
			nil, `a leak? "y" = 2 "half" in every row. Leave out`},
		{table("a,b,y", func(a, b float64) []float64 { return []float64{a, b, a + b + rng.NormFloat64()} }), nil, ""},
	} {
		initial := testenv.Must(Init(data.Input{Name: c.path}, InitOptions{Preset: "robust"}))
		got, err := load(t, string(initial.YAML), nil, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, initial.YAML)
		}
		told := strings.Join(initial.Notes, "\n")
		if !slices.Equal(got.Data.Ignore, c.ignore) || !strings.Contains(told, c.note) || strings.Contains(told, "leak") != (c.note != "") {
			t.Errorf("ignored %v, want %v; notes\n%s\nwant %s", got.Data.Ignore, c.ignore, told, c.note)
		}
	}
}

// TestInitTarget: what the target is taken for, and what is said of it.
func TestInitTarget(t *testing.T) {
	table := func(n int, y func(i int) string) string {
		var b strings.Builder
		b.WriteString("a,\"b,c\",y\n")
		for i := range n {
			fmt.Fprintf(&b, "%d,%d.5,%s\n", (i*37)%101, (i*53)%97, y(i))
		}
		return write(t, b.String())
	}
	number := func(of ...int) func(i int) string { return func(i int) string { return fmt.Sprint(of[i%len(of)]) } }
	word := func(of ...string) func(i int) string { return func(i int) string { return of[i%len(of)] } }
	for _, c := range []struct {
		name    string
		path    string
		targets []string
		task    string
		want    string // a note, or the error
	}{
		{"words", table(60, word("red", "green")), nil, "classification", `"y" has 2 classes: green (50%), red (50%)`},
		{"no words", table(60, word(">50K", "<=50K")), nil, "classification", `"y" has 2 classes: <=50K (50%), >50K (50%)`},
		{"many classes", table(60, func(i int) string { return fmt.Sprintf("c%02d", i%15) }), []string{"y"}, "classification",
			"c11 (6.67%), and 3 more"},
		{"many classes are no guess", table(60, func(i int) string { return fmt.Sprintf("c%02d", i%15) }), nil, "", ""},
		{"two numbers", table(20, number(0, 1)), nil, "classification", `"y" has 2 classes: 0 (50%), 1 (50%)`},
		{"two numbers, one rare", table(20, func(i int) string { return fmt.Sprint(i / 18) }), nil, "",
			"has two values only: a regression predicts something between them"},
		{"two fractions", table(20, word("0.5", "1.5")), nil, "", "has two values only"},
		{"codes", table(200, number(1, 2, 3, 4, 5, 7)), nil, "classification", `"y" has 6 classes: 1 (17%)`},
		{"codes, one rare", table(200, func(i int) string { return fmt.Sprint(i%3 + i/199*5) }), nil, "", "regression keeps their order"},
		{"codes, a rare one between others", table(200, func(i int) string { return []string{fmt.Sprint(i % 2 * 3), "1"}[i/199] }), nil, "", ""},
		{"grades", table(200, number(3, 4, 5, 6, 7, 8)), nil, "",
			`"y" has 6 whole numbers: regression keeps their order; set task: classification`},
		{"counts", table(2000, func(i int) string { return fmt.Sprint(i % 61) }), nil, "", ""},
		{"few rows", table(60, number(1, 2, 3, 4, 5, 6)), nil, "", ""},
		{"a rare word", table(60, func(i int) string { return []string{"x", "y", "z"}[i%2+i/59] }), nil, "classification",
			`the class "z" occurs only once`},
		{"a name with a comma", table(60, number(1, 2)), []string{"b,c"}, "", ""},
		{"two", table(60, number(1, 2)), []string{"y, a"}, "", ""},
		{"two, one of words", table(60, word("u", "v")), []string{"a", "y"}, "",
			"error: holds no numbers: of several targets, each must be numeric"},
		{"unknown", table(60, word("u", "v")), []string{"a,yy"}, "", `error: no column "yy"; did you mean y?`},
		{"texts", table(60, func(i int) string { return fmt.Sprint("t", i) }), []string{"y"}, "",
			"error: holds 60 different texts, too many to be classes"},
	} {
		initial, err := Init(data.Input{Name: c.path}, InitOptions{Targets: c.targets, Preset: "robust"})
		if want, failing := strings.CutPrefix(c.want, "error: "); failing {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %s", c.name, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got, err := load(t, string(initial.YAML), nil, nil)
		if err != nil {
			t.Fatalf("%s: %v in\n%s", c.name, err, initial.YAML)
		}
		if notes := strings.Join(initial.Notes, "\n"); got.Data.Task != c.task || !strings.Contains(notes, c.want) || c.want == "" &&
			strings.Contains(notes, "class") {
			t.Errorf("%s: task %q, want %q; notes\n%s", c.name, got.Data.Task, c.task, notes)
		}
		if !slices.Equal(got.Data.Targets(), initial.Targets) {
			t.Errorf("%s: targets %q, read as %q", c.name, initial.Targets, got.Data.Targets())
		}
	}
}

// TestInitKind: what is said of a target of numbers, and the keys that follow.
func TestInitKind(t *testing.T) {
	rows := func(header string, row func(i int) string) string {
		text := header + "\n"
		for i := range 120 {
			text += row(i) + "\n"
		}
		return text
	}
	waves := func(i int) float64 { return 50 + 49*math.Sin(float64(i)) }
	for name, c := range map[string]struct {
		table       string
		note, lines []string
		without     string
	}{
		"counts": {rows("x,exposure,n", func(i int) string { return fmt.Sprintf("%v,%v,%d", waves(i), 0.5+float64(i%2), i*i%26) }),
			[]string{`"n" is never below 0 in 120 rows: predictions stay there (model.range)`, "whole numbers from 0 on, as counts have",
				`"exposure" may be the exposure of "n"`},
			[]string{"\n  range: [0, ~]", "\n  # loss: poisson", "\n  # offset: exposure"}, "lies between"},
		"few counts": {rows("x,exposure,n", func(i int) string { return fmt.Sprintf("%v,%v,%d", waves(i), 0.5+float64(i%2), i*i%5) }),
			[]string{"whole numbers from 0 on, as counts have", `"exposure" may be the exposure of "n"`},
			[]string{"\n# task: auto", "\n  # loss: poisson", "\n  # offset: exposure"}, "classes"},
		"amounts": {rows("x,day,y", func(i int) string {
			if i%3 == 0 {
				return fmt.Sprintf("%v,off,0", waves(i))
			}
			return fmt.Sprintf("%v,on,%v", waves(i), waves(3*i+1))
		}), []string{"amounts, 33% of them 0", `"y" is 0 in all 40 rows with day off`},
			[]string{"\n  range: [0, ~]", "\n  # loss: tweedie"}, "poisson predicts"},
		"large counts": {rows("x,n", func(i int) string { return fmt.Sprintf("%v,%d", waves(i), 3+i*i%2003) }),
			[]string{"whole numbers from 3 on, as counts have"}, []string{"\n  # loss: poisson"}, "gamma"},
		"prices": {rows("x,y", func(i int) string { return fmt.Sprintf("%v,%d", waves(i), 500*int(1+math.Exp(waves(2*i)/20))) }),
			[]string{"numbers above 0 whose mean is"}, []string{"\n  # loss: gamma"}, "poisson predicts"},
		"whole claims": {rows("x,y", func(i int) string { return fmt.Sprintf("%v,%d", waves(i), max(0, i%9-4)*(203+i*i%1999)) }),
			[]string{"amounts, 57% of them 0"}, []string{"\n  # loss: tweedie"}, "poisson predicts"},
		"one outlier": {rows("x,y", func(i int) string {
			return fmt.Sprintf("%v,%v", waves(i), map[bool]float64{true: 1e6, false: 1.5 + waves(2*i)}[i == 17])
		}), nil, []string{"\n  # loss: mean"}, "predicts the mean by factors"},
		"skewed": {rows("x,y", func(i int) string { return fmt.Sprintf("%v,%v", waves(i), math.Exp(waves(2*i)/20)) }),
			[]string{"numbers above 0 whose mean is"}, []string{"\n  range: [0, ~]", "\n  # loss: gamma"}, "poisson predicts"},
		"far from zero": {rows("x,y", func(i int) string { return fmt.Sprintf("%v,%v", waves(i), 200+waves(2*i)) }),
			nil, []string{"\n  # range: [0, ~]"}, "predictions stay there"},
		"shares": {rows("x,y", func(i int) string { return fmt.Sprintf("%v,%v", waves(i), waves(2*i)/100) }),
			[]string{"lies between 0 and 1 in 120 rows"}, []string{"\n  range: [0, 1]", "\n  # loss: mean"}, "predicts the mean"},
		"signed": {rows("x,y", func(i int) string { return fmt.Sprintf("%v,%v", waves(i), waves(2*i)-50) }),
			nil, []string{"\n  # range: [~, ~]", "\n  # loss: mean"}, "never below"},
		"temperatures": {rows("x,temperature", func(i int) string { return fmt.Sprintf("%v,%v", waves(i), waves(2*i)) }),
			nil, []string{"\n  # range: [0, ~]"}, "predictions stay there"},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(c.table), 0o600); err != nil {
			t.Fatal(err)
		}
		got := testenv.Must(Init(data.Input{Name: path}, InitOptions{Preset: "robust"}))
		notes := strings.Join(got.Notes, "\n")
		for _, want := range c.note {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: no note %q in\n%s", name, want, notes)
			}
		}
		for _, want := range c.lines {
			if !strings.Contains(string(got.YAML), want) {
				t.Errorf("%s: no %q in\n%s", name, want, got.YAML)
			}
		}
		if strings.Contains(notes, c.without) {
			t.Errorf("%s: %q in\n%s", name, c.without, notes)
		}
		if _, err := load(t, string(got.YAML), nil, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTargetKey: data.target is a name or a list of names, in a file, the environment and --set.
func TestTargetKey(t *testing.T) {
	for _, c := range []struct {
		text     string
		env, set []string
		want     []string
	}{
		{"data: {path: a.csv, target: y}", nil, nil, []string{"y"}},
		{"data: {path: a.csv, target: [y1, 'y,2', 3]}", nil, nil, []string{"y1", "y,2", "3"}},
		{"data: {path: a.csv, target: [y1, y2]}", nil, []string{"data.target=z"}, []string{"z"}},
		{"data: {path: a.csv, target: y}", nil, []string{"data.target=[y1,y2]"}, []string{"y1", "y2"}},
		{"data: {path: a.csv, target: y}", []string{"TSKGRAPH_DATA_TARGET=[y1, y2]"}, nil, []string{"y1", "y2"}},
		{"data: {path: a.csv, target: y}", nil, []string{"data.target=a,b"}, []string{"a,b"}},
		{"data: {path: a.csv, target: y}", nil, []string{"data.target=[kW] power"}, []string{"[kW] power"}},
	} {
		got, err := load(t, c.text, c.env, c.set)
		if err != nil {
			t.Errorf("%s, %q: %v", c.text, c.set, err)
			continue
		}
		again, err := load(t, string(got.YAML()), nil, nil)
		if err != nil || !slices.Equal(got.Data.Targets(), c.want) || !slices.Equal(again.Data.Targets(), c.want) {
			t.Errorf("%s, %q: %q, again %q, %v; want %q", c.text, c.set, got.Data.Targets(), again.Data.Targets(), err, c.want)
		}
	}
	for text, want := range map[string]string{
		"data: {path: a, target: [y, y]}":                       `c.yaml:1:25: data.target: column "y" is given twice`,
		"data: {path: a, target: [y, z], ignore: [z]}":          `c.yaml:1:41: data.ignore: column "z" is already named by data.target`,
		"task: classification\ndata: {path: a, target: [y, z]}": "c.yaml:1:7: task: classification of 2 targets",
		"task: classify":                             `c.yaml:1:7: task: "classify": choose auto, regression or classification`,
		"data: {task: classification}":               "c.yaml:1:8: data.task: no such key; did you mean task?",
		"task: regression\ndata: {builtin: iris}":    `c.yaml:1:7: task: regression: the built-in data "iris" are for classification`,
		"data: {builtin: friedman1, target: [y, z]}": "data.target: does not apply to the built-in data",
	} {
		if _, err := load(t, text, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// columnOf makes 200 cells: number(i), or odd in every n-th row.
func columnOf(number func(i int) string, odd string, n int) (cells []string) {
	for i := range 200 {
		if i%n == n/2 {
			cells = append(cells, odd)
		} else {
			cells = append(cells, number(i))
		}
	}
	return cells
}

func tableOf(columns map[string][]string) string {
	names := []string{}
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString(strings.Join(names, ",") + "\n")
	for i := range 200 {
		for k, name := range names {
			if k > 0 {
				b.WriteString(",")
			}
			b.WriteString(columns[name][i])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestInitNA: what stands out among the numbers of a column is proposed for data.na, and nothing else is.
func TestInitNA(t *testing.T) {
	real := func(i int) string { return fmt.Sprintf("%.2f", float64(i*7919%1009)/10) }
	whole := func(i int) string { return fmt.Sprint(i * 7919 % 1009) }
	few := func(i int) string { return fmt.Sprint(3 + i*7919%5) }
	for _, test := range []struct {
		cells []string
		want  []string // nil: the column is no feature of numbers with missing cells
		note  string
	}{
		{columnOf(real, "-", 200), []string{"-"}, `"-" seems to mark 1 missing cell in "x"`},
		{columnOf(real, "-", 3), []string{"-"}, `"-" seems to mark 67 missing cells in "x"`},
		{columnOf(few, "n.a.", 200), []string{"n.a."}, ""},
		{columnOf(whole, "#DIV/0!", 50), []string{"#DIV/0!"}, ""},
		{columnOf(real, "broken", 50), []string{"broken"}, ""},
		{columnOf(real, "-999", 20), []string{"-999"}, `"-999" seems to mark 10 missing cells in "x"`},
		{columnOf(whole, "-99", 20), []string{"-99"}, ""},
		{columnOf(whole, "99999", 20), []string{"99999"}, ""},
		{columnOf(real, "-500", 20), []string{"-500"}, ""},
		{columnOf(few, "none", 3), nil, `"x": 6 different values, not all of them numbers: each counts on its own, in no order`},
		{columnOf(whole, "12A", 200), nil, `"x" is left out: 1 cell is no number, such as "12A" in line 102`},
		{columnOf(real, "broken", 5), nil, `"x" is left out: 40 cells are no number, such as "broken" in line 4`},
		{columnOf(real, "\"1,234.5\"", 5), nil, `"x" is left out: "1,234.5" has thousands separators: write it without them (line 4)`},
		{columnOf(func(i int) string { return fmt.Sprintf("%x", 1<<20+i*7919) }, "0", 200), nil, `different texts, too many to learn about each`},
		{columnOf(func(i int) string { return fmt.Sprintf("name %d", i) }, "2002", 200), nil,
			`"x" is left out: 200 different texts, too many to learn about each`},
		{columnOf(func(i int) string { return fmt.Sprintf("kind %d", i%20) }, "2002", 200), nil,
			`"x": 21 categories: in the order of their mean targets in training`},
		{columnOf(real, "-1", 20), nil, ""},
		{columnOf(real, "0", 20), nil, ""},
		{columnOf(real, "500", 200), nil, ""},
		{columnOf(func(i int) string { return fmt.Sprint(i % 9) }, "24", 4), nil, ""},
	} {
		initial, c := trainOn(t, write(t, tableOf(map[string][]string{"x": test.cells, "other": columnOf(real, "7", 9),
			"y": columnOf(real, "8", 9)})), "y", "robust", "train.race=[]")
		if got := c.Data.NA["x"]; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: data.na %v, want %v", test.cells[:3], got, test.want)
		}
		if (c.Data.Missing == "own") != (test.want != nil) {
			t.Errorf("%v: data.missing %s", test.cells[:3], c.Data.Missing)
		}
		if !strings.Contains(strings.Join(initial.Notes, "\n"), test.note) {
			t.Errorf("%v: notes %q, want %s", test.cells[:3], initial.Notes, test.note)
		}
	}
}

// TestInitRanks: many levels are ranked where the preset and the target allow, and are kept then, if each has enough rows.
func TestInitRanks(t *testing.T) {
	words := func(k int) []string {
		return columnOf(func(i int) string { return "kind " + string(rune('a'+i%20%k)) }, "kind a", 200)
	}
	path := write(t, tableOf(map[string][]string{
		"town": columnOf(func(i int) string { return "town " + string(rune('a'+i%20)) }, "town z", 200),
		"a":    columnOf(func(i int) string { return fmt.Sprint(i * 37 % 101) }, "7", 9),
		"y":    columnOf(func(i int) string { return fmt.Sprint(i % 20 * 3) }, "8", 9), "two": words(2), "three": words(3),
	}))
	for _, c := range []struct {
		preset, target string
		coding         data.Encoding
	}{{"robust", "y", data.Ranked}, {"robust", "two", data.Ranked}, {"robust", "three", ""}, {"readable", "y", ""}, {"paper", "y", ""}} {
		initial, made := trainOn(t, path, c.target, c.preset, "train.race=[]", "train.iterations=5")
		if got := made.Data.Categorical["town"].Encoding; got != c.coding {
			t.Errorf("%s, %s: %q, want %q (%v)", c.preset, c.target, got, c.coding, initial.Notes)
		}
	}
}

// TestInitMostlyMissing: a column of which a fifth of the cells are there stays, one of which a twentieth are does not.
func TestInitMostlyMissing(t *testing.T) {
	var b strings.Builder
	b.WriteString("fifth,twentieth,x,y\n")
	for i := range 200 {
		cells := [2]string{}
		for k, every := range []int{5, 20} {
			if i%every == 0 {
				cells[k] = fmt.Sprint(i * i % 89)
			}
		}
		fmt.Fprintf(&b, "%s,%s,%d,%d\n", cells[0], cells[1], i*i%97, i*i%83)
	}
	_, made := trainOn(t, write(t, b.String()), "y", "robust", "train.race=[]", "train.iterations=5")
	if !slices.Equal(made.Data.Ignore, []string{"twentieth"}) {
		t.Errorf("left out %v, want twentieth only", made.Data.Ignore)
	}
}

// TestInitGroups: numbers that name groups are left out, but years of school and sizes of groups stay, with a remark.
func TestInitGroups(t *testing.T) {
	for _, c := range []struct {
		name    string
		numbers int
		left    bool
	}{{"school", 18, false}, {"age_group", 6, false}, {"school", 60, true}, {"patient", 18, true}, {"house_id", 6, true}} {
		var b strings.Builder
		b.WriteString(c.name + ",x,y\n")
		for i := range 200 {
			fmt.Fprintf(&b, "%d,%d,%d\n", i*37%c.numbers, i*i%97, i*i%83)
		}
		initial, made := trainOn(t, write(t, b.String()), "y", "robust", "train.race=[]", "train.iterations=5")
		left := slices.Contains(made.Data.Ignore, c.name)
		if said := strings.Join(initial.Notes, "\n"); left != c.left || !strings.Contains(said, c.name) ||
			!strings.Contains(string(initial.YAML), "# group: "+c.name) {
			t.Errorf("%+v: left out: %t; notes %v", c, left, initial.Notes)
		}
	}
}

// TestInitNAOfTable: a number that is far out in one column is believed in others; the key is short where it may be.
func TestInitNAOfTable(t *testing.T) {
	low := func(i int) string { return fmt.Sprintf("%.1f", float64(i%40)-2) }
	high := func(i int) string { return fmt.Sprint(600 + i*7919%1400) }
	columns := map[string][]string{"a": columnOf(low, "-200", 20), "b": columnOf(high, "-200", 30), "y": columnOf(high, "-200", 25)}
	if _, c := trainOn(t, write(t, tableOf(columns)), "y", "robust", "train.race=[]"); !reflect.DeepEqual(c.Data.NA,
		data.NA{"*": {"-200"}}) || c.Data.Missing != "own" {
		t.Errorf("data.na %v, data.missing %s", c.Data.NA, c.Data.Missing)
	}
	columns["c"] = columnOf(func(i int) string { return fmt.Sprint(i*7919%1009 - 500) }, "-200", 9)
	want := data.NA{"a": {"-200"}, "b": {"-200"}, "y": {"-200"}}
	if _, c := trainOn(t, write(t, tableOf(columns)), "y", "robust", "train.race=[]"); !reflect.DeepEqual(c.Data.NA, want) {
		t.Errorf("data.na %v, want %v", c.Data.NA, want)
	}
}

// data.na is read from a file, the environment and --set alike, and each text as it stands.
func TestNA(t *testing.T) {
	all := data.NA{"*": {"-", "-999", "1.50"}}
	by := data.NA{"a": {"-200"}, "*": {"-"}}
	for _, test := range []struct {
		text, env, set string
		want           data.NA
	}{
		{text: `["-", -999, 1.50]`, want: all},
		{text: `{a: [-200], "*": ["-"]}`, want: by},
		{text: `[]`},
		{env: "-,-999,1.50", want: all},
		{set: `["-", -999, 1.50]`, want: all},
		{set: `{a: [-200], "*": ["-"]}`, want: by},
	} {
		text, env, set := "data:\n  path: t.csv\n  target: y\n", []string(nil), []string(nil)
		if test.text != "" {
			text += "  na: " + test.text + "\n"
		}
		if test.env != "" {
			env = []string{"TSKGRAPH_DATA_NA=" + test.env}
		}
		if test.set != "" {
			set = []string{"data.na=" + test.set}
		}
		c, err := load(t, text, env, set)
		if err != nil || !reflect.DeepEqual(c.Data.NA, test.want) {
			t.Errorf("%+v: %q, %v", test, c.Data.NA, err)
		}
	}
}

// TestInitOddities: what is odd about columns is noted, with the key that does something about it; columns that repeat others are left out.
func TestInitOddities(t *testing.T) {
	var b strings.Builder
	b.WriteString("size,celsius,fahrenheit,class,level,YearBuilt,y\n")
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 500 {
		size, year, c, k := 1+rng.Float64(), 1900+rng.IntN(100), rng.IntN(400), rng.IntN(2)
		if i == 4 {
			size, year = 4e5, 1196
		}
		fmt.Fprintf(&b, "%g,%d,%g,%s,%d,%d,%g\n", size, c, float64(1.8*float64(c))+32, []string{"low", "high"}[k], k, year,
			rng.Float64())
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	testenv.OK(t, os.WriteFile(path, []byte(b.String()), 0o600))
	made := testenv.Must(Init(data.Input{Name: path}, InitOptions{Targets: []string{"y"}, Preset: "robust"}))
	all := strings.Join(made.Notes, "\n")
	for _, want := range []string{
		`"fahrenheit" = 1.8 "celsius" + 32 in every row: "fahrenheit" is left out (data.ignore)`,
		`"class" is "level" by other names, in every row. data.ignore: [level] leaves one of them out`,
		`: 400000 in row 5. data.limits: {size: [~, `,
		`1 cell is no year: 1196 in row 5. data.na: {YearBuilt: ["1196"]} with data.missing: own reads it as missing`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	for _, want := range []string{"# limits: {size: [~, ", `# na: {YearBuilt: ["1196"]}`, "  ignore: [fahrenheit]"} {
		if !strings.Contains(string(made.YAML), want) {
			t.Errorf("%q is not in\n%s", want, made.YAML)
		}
	}
	if len(made.Warnings) != 2 {
		t.Errorf("%q", made.Warnings)
	}
}

// TestInitProposals: what is found has keys, whose values several proposals share beside those of the configuration; none is active.
func TestInitProposals(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	var b strings.Builder
	b.WriteString("size,width,flag,tag,dose,exposure,YearBuilt,y\n")
	for i := range 400 {
		size, width, year, y := 1+rng.Float64(), 1+rng.Float64(), 1900+rng.IntN(100), fmt.Sprint(rng.IntN(2)*rng.IntN(50), ".5")
		flag, tag, dose := []string{"", "1"}[i%2], []string{"yes", "", ""}[i%3], fmt.Sprint(rng.Float64())
		if i == 4 {
			size, width, year, y = 4e5, 3e5, 1196, "9000"
		}
		if i%40 == 3 {
			dose = "-999"
		}
		fmt.Fprintf(&b, "%g,%g,%s,%s,%s,%d,%d,%s\n", size, width, flag, tag, dose, 1+i%3, year, strings.ReplaceAll(y, " ", ""))
	}
	path := write(t, b.String())
	made, c := trainOn(t, path, "y", "robust", "train.race=[]")
	texts := map[string]Proposal{}
	var all []string
	for _, p := range made.Proposals {
		all = append(all, fmt.Sprint(p.Kind, " ", p.Column, " ", p.Rows, " ", p.Set))
		texts[p.Kind+" "+p.Column] = p
	}
	testenv.Equal(t, strings.Join(all, "\n"), `outliers size [5] [{data.limits {size: [~, 7.3]}}]
outliers width [5] [{data.limits {width: [~, 6.6]}}]
impossible YearBuilt [5] [{data.na {YearBuilt: ["1196"]}}]
outliers y [5] [{data.na {y: ["9000"]}}]
loss y [] [{train.loss gamma}]
exposure exposure [] [{data.offset exposure} {train.loss gamma}]`, "proposals")
	testenv.Equal(t, fmt.Sprint(made.Take(made.Proposals...)), `[{data.limits {size: [~, 7.3], width: [~, 6.6]}} `+
		`{data.na {YearBuilt: ["1196"], dose: ["-999"], y: ["9000"]}} {train.loss gamma} {data.offset exposure}]`, "all of them")
	testenv.Equal(t, texts["outliers y"].Does, "leaves the row out", "of the target")
	if c.Data.Limits != nil || len(c.Data.NA) != 1 || c.Data.Offset.Column != "" || len(c.Data.Ignore) > 0 {
		t.Errorf("%+v", c.Data.Options)
	}
	for _, want := range []string{"\n  na: {dose: [\"-999\"]}", "\n  # limits: {size: [~, 7.3], width: [~, 6.6]}", "\n  # offset: exposure",
		"# roles: {YearBuilt: both, dose: both, flag: both, size: both, tag: both, width: both}"} {
		if !strings.Contains(string(made.YAML), want) {
			t.Errorf("%q is not in\n%s", want, made.YAML)
		}
	}
	var set []string
	for _, one := range made.Take(made.Proposals...) {
		set = append(set, one.Key+"="+one.Value)
	}
	_, taken := trainOn(t, path, "y", "robust", append(set, "train.race=[]")...)
	if len(taken.Data.NA) != 3 || taken.Recipe.Train.Loss != "gamma" {
		t.Errorf("%+v", taken.Data.NA)
	}
	paper := testenv.Must(Init(data.Input{Name: path}, InitOptions{Targets: []string{"y"}, Preset: "paper"}))
	for _, column := range paper.Columns {
		if constant := column.Name == "flag" || column.Name == "tag"; constant != column.Ignored || constant && column.Why != "constant" {
			t.Errorf("paper: %+v", column)
		}
	}
}

// TestInitTime: init sees one or several series in a table, and what it suggests can be trained on.
func TestInitTime(t *testing.T) {
	day := func(i int) string { return time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) }
	table := func(series, rows int, line func(series, i int) string) (lines []string) {
		for s := range series {
			for i := range rows {
				lines = append(lines, line(s, i))
			}
		}
		return lines
	}
	byDay := table(3, 40, func(s, i int) string { return fmt.Sprintf("%s,site %d,N,%d,%d", day(i), s, i*i%7, i%7+9*s) })
	alternate := slices.Clone(byDay)
	slices.SortStableFunc(alternate, func(a, b string) int { return strings.Compare(a[:10], b[:10]) })
	const head = "date,site,kind,wind,y"
	for name, c := range map[string]struct {
		head   string
		lines  []string
		series string // empty: one
		none   bool   // no data.time
	}{
		"series after series": {head, byDay, "site", false},
		"alternating":         {head, alternate, "site", false},
		"one":                 {head, byDay[:40], "", false},
		"numbers": {"shop,region,year,rain,y", table(12, 10, func(s, i int) string {
			return fmt.Sprintf("%d,%d,%d,%d,%d", 101+s, s%3, 1950+5*i, i*s%11, 7*s+i)
		}), "shop", false},
		"repeated days": {head, append(slices.Clone(byDay), byDay[5]), "", true},
		"rare days": {head, table(3, 40, func(s, i int) string { return fmt.Sprintf("%s,site %d,N,%d,%d", day(i*i), s, i*i%7, i%7) }),
			"", true},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		testenv.Must(0, os.WriteFile(path, []byte(c.head+"\n"+strings.Join(c.lines, "\n")+"\n"), 0o600))
		initial := testenv.Must(Init(data.Input{Name: path}, InitOptions{Targets: []string{"y"}, Preset: "robust"}))
		said := strings.Contains(strings.Join(initial.Warnings, "\n"), "has time stamps in steps of")
		if said == c.none {
			t.Errorf("%s: %v", name, initial.Warnings)
		}
		if c.none {
			continue
		}
		text := string(initial.YAML)
		for _, key := range []string{"time", "lags", "calendar", "series"} {
			if key != "series" || c.series != "" {
				text = strings.Replace(text, "\n  # "+key+": ", "\n  "+key+": ", 1)
			}
		}
		if c.head != head {
			text = strings.Replace(text, "\n  calendar: ", "\n  # calendar: ", 1) // years have none
		}
		parts := testenv.Must(testenv.Must(load(t, text, nil, nil)).Data.Load(context.Background()))
		if spec := parts.Train.Schema.Time; spec.Series != c.series {
			t.Errorf("%s: series %q, want %q", name, spec.Series, c.series)
		}
	}
}

// TestInitLeakTwice: a column that gives the class away and repeats another is left out once.
func TestInitLeakTwice(t *testing.T) {
	text := "a,b,c,d,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%d,%d,%d\n", i%2, i%2, i*i%17, i*i*i%19, i%2)
	}
	initial := testenv.Must(Init(data.Input{Name: write(t, text)}, InitOptions{Preset: "readable"}))
	testenv.Equal(t, fmt.Sprint(testenv.Must(load(t, string(initial.YAML), nil, nil)).Data.Ignore), "[a b]", "left out")
}
