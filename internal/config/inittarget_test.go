package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

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
