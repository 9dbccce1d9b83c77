package workbench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/config"
)

// hostile is a name that is a script in HTML and hides text in a terminal.
const hostile = `<img src=x onerror=alert(1)>`

// messy is a table with an identifier, a date, a leak, missing cells and a hostile name.
func messy() string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	fmt.Fprintf(&b, "id,when,a,%s,part,rest,colour,y\n", hostile)
	for i := range 120 {
		a, cell, rest := rng.Float64(), fmt.Sprint(rng.IntN(40)), rng.Float64()
		if i%10 == 3 {
			cell = "-999"
		}
		colour := []string{"red", "blue", `"a, ""b"""`}[rng.IntN(3)]
		part := math.Round(1000*(3*a+rng.Float64())) / 1000
		rest = math.Round(1000*rest) / 1000
		fmt.Fprintf(&b, "%d,2024-01-%02d,%.3f,%s,%.3f,%.3f,%s,%.6f\n", i+1, i%28+1, a, cell, part, rest, colour, part+rest)
	}
	return b.String()
}

func TestLook(t *testing.T) {
	b := bench(t)
	if _, err := b.Upload("messy.csv", strings.NewReader(messy())); err != nil {
		t.Fatal(err)
	}
	l, _ := ask[looked](t, b, "look", `{"table": "messy.csv", "preset": "readable"}`)
	if l.Rows != 120 || !slices.Equal(l.Targets, []string{"y"}) || !l.Guessed || l.Task != "regression" || len(l.Options) != len(offered) ||
		l.Fixed {
		t.Errorf("%+v", l)
	}
	want := map[string][3]string{"id": {"number", "left out", "counts the rows"}, "when": {"date", "left out", "dates or times"},
		"a": {"number", "input", ""}, hostile: {"number", "input", ""},
		"part": {"number", "left out", "a leak: "}, "rest": {"number", "left out", "a leak: "}, "colour": {"words", "input", "3 categories"},
		"y": {"number", "target", ""}}
	for _, c := range l.Columns {
		w := want[c.Name]
		if c.Kind == "mixed" && c.Name == "colour" {
			w[0], w[2] = "mixed", "3 different values"
		}
		if c.Kind != w[0] || c.Use != w[1] || !strings.HasPrefix(c.Why, w[2]) {
			t.Errorf("%+v, want %q", c, w)
		}
		if c.Name == hostile && (c.Missing != 12 || *c.Min < 0 || *c.Mean < *c.Min || *c.Mean > *c.Max) {
			t.Errorf("%+v: %v to %v, mean %v", c, *c.Min, *c.Max, *c.Mean)
		}
	}
	if len(l.Warnings) != 1 || !strings.HasPrefix(l.Warnings[0], "a leak: ") || len(l.Notes) == 0 || slices.Contains(l.Notes, l.Warnings[0]) {
		t.Errorf("notes %q, warnings %q", l.Notes, l.Warnings)
	}
	chosen, _ := ask[looked](t, b, "look", `{"table": "messy.csv", "preset": "robust", "target": ["a"], "leave_out": ["when", "id"]}`)
	if chosen.Guessed || chosen.Inputs != 5 || chosen.Targets[0] != "a" {
		t.Errorf("%+v", chosen)
	}
	if _, err := config.Load(config.Source{Text: []byte(chosen.Config)}); err != nil {
		t.Errorf("the configuration: %v", err)
	}
	classes, _ := ask[looked](t, b, "look", `{"table": "messy.csv", "target": ["colour"]}`)
	if classes.Task != "classification" {
		t.Errorf("%+v", classes)
	}
	fault(t, b, "look", `{"table": "messy.csv", "leave_out": ["idd"]}`, "data", "did you mean id?")
	fault(t, b, "look", `{"table": "messy.csv", "target": ["y"], "leave_out": ["y"]}`, "data", "is to be predicted")
	fault(t, b, "look", `{"table": "messy.csv", "target": ["nothing"]}`, "data", "no column")
	fault(t, b, "look", `{"table": "messy.csv", "preset": "no"}`, "config", "unknown preset")
	fault(t, b, "look", `{"table": "messy.csv", "set": {"model.rules": "many"}}`, "config", "model.rules")
	fault(t, b, "look", `{"table": "messy.csv", "set": {"data.path": "/etc/passwd"}}`, "usage", "data.path")
	fault(t, b, "look", `{"table": "messy.csv", "set": {"model.init": "../m.json"}}`, "usage", "model.init")
}

// TestOptions: a page gets values, kinds, choices and limits.
func TestOptions(t *testing.T) {
	l, _ := ask[looked](t, bench(t), "look",
		`{"table": "heating.csv", "preset": "readable", "set": {"train.seed": 7, "train.patience": 3, "data.validation": 0.2}, `+
			`"units": {"sun": "W/m²"}}`)
	if l.Columns[2].Unit != "W/m²" || !strings.Contains(l.Config, "seed: 7") {
		t.Errorf("%+v", l.Columns[2])
	}
	found := map[string]config.Option{}
	for _, o := range l.Options {
		found[o.Key] = o
		if o.Doc == "" {
			t.Errorf("%s: no meaning", o.Key)
		}
	}
	if o := found["model.rules"]; o.Kind != "integer" || o.Value != 8.0 || o.Min == nil {
		t.Errorf("%+v", o)
	}
	if o := found["train.seed"]; o.Value != 1.0 || o.Title != "Random seed" || o.Effect != "Random seed, also of the split" || o.Words != "1" {
		t.Errorf("%+v", o)
	}
	if o := found["model.membership"]; o.Kind != "choice" || !slices.Contains(o.Choices, "sigmoid") || o.Value != "ramp" {
		t.Errorf("%+v", o)
	}
	if o := found["data.missing"]; o.Words != "error (training ends)" || o.Said[1] != "drop (the row)" {
		t.Errorf("%+v", o)
	}
	if o := found["model.range"]; o.Words != "at least 0" {
		t.Errorf("%+v", o)
	}
	if o := found["train.patience"]; o.Value != 0.0 || o.Words != "never" {
		t.Errorf("%+v", o)
	}
}

// TestBuiltins: built-in tables are described, and can be trained on.
func TestBuiltins(t *testing.T) {
	s, _ := ask[started](t, bench(t), "start", "")
	for _, set := range s.Builtins {
		l, _ := ask[looked](t, bench(t), "look", `{"table": "builtin:`+set.Name+`"}`)
		if l.Rows < 100 || !l.Fixed || len(l.Columns) != l.Inputs+1 || l.Columns[l.Inputs].Use != "target" ||
			(l.Task == "classification") != (set.Name == "iris") {
			t.Errorf("%s: %+v", set.Name, l)
		}
		for _, o := range l.Options {
			if strings.Contains(o.Words, "nil") { // also of a key that is not for this task
				t.Errorf("%s: %s: %s", set.Name, o.Key, o.Words)
			}
		}
		fault(t, bench(t), "look", `{"table": "builtin:`+set.Name+`", "units": {"y": "m"}}`, "usage", "units")
		fault(t, bench(t), "look", `{"table": "builtin:`+set.Name+`", "leave_out": ["y"]}`, "config", "data.ignore")
	}
}

// TestUpload: tables are saved whole under plain names, once each, and none is replaced.
func TestUpload(t *testing.T) {
	dir := t.TempDir()
	b := New(Options{Tables: filepath.Join(dir, "tables"), Runs: dir, Limit: 20})
	for _, c := range []struct{ name, content, want string }{
		{"a.csv", "x,y\n1,2\n", "a.csv"},
		{"a.csv", "x,y\n1,2\n", "a.csv"},
		{"a.csv", "x,y\n1,3\n", "a-2.csv"},
		{"a.csv", "x,y\n1,3\n", "a-2.csv"},
		{"a.csv", "x,y\n1,2", "a-3.csv"},
		{"../../etc/passwd", "1", "passwd"},
		{`C:\data\my table (1).csv.gz`, "2", "my_table__1_.csv.gz"},
		{"..", "3", "data"},
		{"<script>.csv", "4", "script_.csv"},
		{strings.Repeat("ä", 100) + ".tsv", "5", strings.Repeat("ä", 30) + ".tsv"},
		{"-", "6", "data-2"},
	} {
		if got, err := b.Upload(c.name, strings.NewReader(c.content)); err != nil || got != c.want {
			t.Errorf("%q: %q, %v, want %q", c.name, got, err, c.want)
		} else if text := read(t, filepath.Join(dir, "tables", got)); string(text) != c.content {
			t.Errorf("%q: %q", c.name, text)
		}
	}
	before, _ := os.ReadDir(filepath.Join(dir, "tables"))
	for name, content := range map[string]string{"empty.csv": "", "long.csv": strings.Repeat("x", 21)} {
		if got, err := b.Upload(name, strings.NewReader(content)); exitKind(err) != "data" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := b.Upload("broken.csv", brokenReader{}); err == nil {
		t.Error("an upload that breaks off is no error")
	}
	if after, _ := os.ReadDir(filepath.Join(dir, "tables")); len(after) != len(before) {
		t.Errorf("%d files, then %d", len(before), len(after))
	}
}

// brokenReader fails after the first bytes.
type brokenReader struct{}

func (brokenReader) Read(p []byte) (int, error) { return copy(p, "x,y"), os.ErrDeadlineExceeded }
