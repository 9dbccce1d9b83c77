package workbench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// trainAgain trains by a configuration as `tskgraph train` does, and returns the model file.
func trainAgain(t *testing.T, s config.Source) []byte {
	t.Helper()
	s.Set = append(s.Set, "output.dir="+t.TempDir())
	c, err := config.Load(s)
	if err != nil {
		t.Fatal(err)
	}
	task := runs.Task{Config: c, Notes: io.Discard, Start: time.Now(), Attach: func(*runs.Job, int) {}, Ended: func() {}}
	if _, err := task.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer task.Dir.Close()
	return read(t, task.Dir.File("model.json"))
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSameModel: the configuration in the directory of a run, and the values of --set that the page shows, give its model, bit for bit;
// for numbers and for classes, an uploaded table and a built-in one.
func TestSameModel(t *testing.T) {
	testenv.SkipRace(t)
	b := bench(t)
	if _, err := b.Upload("flowers.csv", strings.NewReader(flowers())); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string]string{
		"numbers": small,
		"classes": `{"table": "flowers.csv", "preset": "robust", "target": ["species"], "leave_out": ["width"], "units": {"length": "cm"}, ` +
			`"set": {"train.iterations": 30, "model.rules": 4, "train.race_splits": 1}}`,
		"built in": `{"table": "builtin:iris", "preset": "paper", "set": {"model.rules": "3", "train.iterations": 20}}`,
	} {
		done, _ := ask[trained](t, b, "train", args)
		path := filepath.Join(b.options.Runs, done.Run)
		want := read(t, filepath.Join(path, "model.json"))
		if got := trainAgain(t, config.Source{Path: filepath.Join(path, "config.yaml")}); !bytes.Equal(got, want) {
			t.Errorf("%s: config.yaml gives another model", name)
		}
		c, err := configOf(b, path)
		if err != nil {
			t.Fatal(err)
		}
		set, err := settingsOf(c)
		if err != nil || set == nil {
			t.Fatalf("%s: %q, %v", name, set, err)
		}
		if got := trainAgain(t, config.Source{Set: set}); !bytes.Equal(got, want) {
			t.Errorf("%s: %q give another model", name, set)
		}
	}
}

// flowers is a table of three classes with a missing cell.
func flowers() string {
	var b strings.Builder
	b.WriteString("length,width,colour,species\n")
	for i := range 90 {
		species := []string{"small", "medium", "large"}[i%3]
		length := []string{"1." + string(rune('0'+i%10)), "3." + string(rune('0'+i%7)), "5." + string(rune('0'+i%9))}[i%3]
		if i == 40 {
			length = ""
		}
		b.WriteString(length + ",0." + string(rune('0'+i%8)) + "," + []string{"red", "blue"}[i%2] + "," + species + "\n")
	}
	return b.String()
}

// columnKeys are the keys whose values are names of columns, or of what is in their cells: any text is one.
var columnKeys = []string{
	"data.target", "data.features", "data.ignore", "data.weight", "data.group", "data.split_column", "data.na", "data.categorical",
	"data.units", "model.monotone",
}

// TestSettingsStayInside: no key, nor a text that is no key, makes a page read or write anything but its table and its directory of runs.
func TestSettingsStayInside(t *testing.T) {
	const secret = "/home/user/secret.csv"
	p := &plan{initial: &config.Initial{YAML: []byte("data: {path: t.csv, target: y}")}}
	loaded := func(key string, v value) (*config.Config, error) {
		set, err := settings{Set: map[string]value{key: v}}.chosen()
		if err != nil {
			return nil, err
		}
		return p.load(set...)
	}
	for _, c := range config.Completions("") {
		key := strings.TrimSuffix(c.Text, "=")
		for _, v := range []value{secret, `["` + secret + `"]`, "[{init: " + secret + "}]"} {
			if c, err := loaded(key, v); err == nil && !slices.Contains(columnKeys, key) && strings.Contains(string(c.YAML()), secret) {
				t.Errorf("%s = %s: the page may set it:\n%s", key, v, c.YAML())
			}
		}
	}
	for text, v := range map[string]value{"data.path=/home/user/secret.cs[v": "]", "data.path=postgres://example.org/d": "",
		"output.dir=/home/user": "", "model.init=/home/user/m": ".json", "\ndata.path": secret} {
		if _, err := loaded(text, v); err == nil || !strings.Contains(err.Error(), "no such key") {
			t.Errorf("%q = %q: %v", text, v, err)
		}
	}
}

// TestWarnings: a run whose model is no better than the mean says so in the list; a good one does not.
func TestWarnings(t *testing.T) {
	b := bench(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var table strings.Builder
	table.WriteString("x,z,y\n")
	for range 120 {
		fmt.Fprintf(&table, "%.3f,%.3f,%.3f\n", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	if _, err := b.Upload("noise.csv", strings.NewReader(table.String())); err != nil {
		t.Fatal(err)
	}
	good, _ := ask[trained](t, b, "train", small)
	noise, _ := ask[trained](t, b, "train", strings.Replace(small, "heating.csv", "noise.csv", 1))
	listed, _ := ask[[]listed](t, b, "runs", "")
	for _, r := range listed {
		switch r.Run {
		case good.Run:
			if strings.Contains(strings.Join(r.Warnings, " "), "no better than") {
				t.Errorf("heating: %q", r.Warnings)
			}
		case noise.Run:
			if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "no better than the training mean on the test part") {
				t.Errorf("noise: %q", r.Warnings)
			}
		}
	}
	if len(listed) != 2 {
		t.Errorf("%d runs", len(listed))
	}
}
