package workbench

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
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
	racedetector.Skip(t)
	b := bench(t)
	if _, err := b.Upload("flowers.csv", strings.NewReader(flowers())); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string]string{
		"numbers":  small,
		"classes":  `{"table": "flowers.csv", "preset": "robust", "target": ["species"], "leave_out": ["width"], "units": {"length": "cm"}, "set": {"train.iterations": 30, "model.rules": 4, "train.race_splits": 1}}`,
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
