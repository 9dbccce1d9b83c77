package config

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// trainOn trains shortly with the configuration that Init makes for a table and a preset, as
// train --config would.
func trainOn(t *testing.T, path, target, preset string, set ...string) (*Initial, *Config) {
	t.Helper()
	initial, err := Init(data.Input{Name: path}, InitOptions{Targets: named(target), Preset: preset})
	if err != nil {
		t.Fatal(err)
	}
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
	if racedetector.Enabled {
		t.Skip("too slow with the race detector, and on one goroutine")
	}
	dir := realdata.Dir(t)
	paths, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil || len(paths) < 10 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		initial, c := trainOn(t, path, "", "robust", "train.race=[]")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
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
			fmt.Fprintf(&b, "%v\n", rng.Float64())
		}
		made := func(preset string) *Config {
			initial, err := Init(data.Input{Name: write(t, b.String())}, InitOptions{Preset: preset})
			if err != nil {
				t.Fatal(err)
			}
			got, err := load(t, string(initial.YAML), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
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
	if racedetector.Enabled {
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
	initial, err := Init(data.Input{Name: path}, InitOptions{Preset: "robust"})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(initial.Notes, "\n")
	for _, want := range []string{`3000 columns are left out, constant: "c0", "c1", `, `3000 columns are one-hot, as words: "w0", "w1", `,
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
	initial, err := Init(data.Input{Name: path}, InitOptions{Preset: "paper"})
	if err != nil {
		t.Fatal(err)
	}
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
