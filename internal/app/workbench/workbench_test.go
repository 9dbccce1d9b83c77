package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/model"
)

// bench returns a workbench in a directory of its own, with the table of the guides.
func bench(t *testing.T) *Bench {
	t.Helper()
	dir := t.TempDir()
	b := New(Options{Tables: filepath.Join(dir, "tables"), Runs: filepath.Join(dir, "runs")})
	f, err := os.Open("../../../docs/heating.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if name, err := b.Upload("heating.csv", f); err != nil || name != "heating.csv" {
		t.Fatalf("%q, %v", name, err)
	}
	return b
}

// ask calls a method and decodes what it returns, as a page does.
func ask[T any](t *testing.T, b *Bench, method, args string) (result T, events []map[string]any) {
	t.Helper()
	got, err := b.Call(context.Background(), method, json.RawMessage(args), func(event any) {
		var e map[string]any
		recode(t, event, &e)
		events = append(events, e)
	})
	if err != nil {
		t.Fatalf("%s %s: %v", method, args, err)
	}
	recode(t, got, &result)
	return result, events
}

func recode(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// small is a training of the heating table that takes little time, with a race of two settings.
const small = `{"table": "heating.csv", "preset": "readable", "set": {"train.iterations": 60, "train.race_splits": 1,
	"train.race": [{"init": "tree"}, {"init": "kmeans", "learning_rate": 0.03}]}}`

func TestTrain(t *testing.T) {
	b := bench(t)
	done, events := ask[trained](t, b, "train", small)
	stages, rules := map[any]bool{}, 0
	for _, e := range events {
		stages[e["stage"]] = true
		if e["event"] == "rules" {
			rules = len(e["rules"].([]any))
		}
	}
	if !stages["reading"] || !stages["race"] || !stages["training"] || rules == 0 {
		t.Errorf("stages %v, %d provisional rules", stages, rules)
	}
	if done.Run != "heating-sigmoid-001" || done.Stopped || *done.Summary.Figures["rmse_test"] > 5 {
		t.Errorf("%+v", done)
	}
	if _, err := model.Load(filepath.Join(b.options.Runs, done.Run)); err != nil {
		t.Error(err)
	}
	listed, _ := ask[[]listed](t, b, "runs", "")
	if len(listed) != 1 || listed[0].Run != done.Run || listed[0].Table != "heating.csv" || listed[0].Preset != "readable" ||
		*listed[0].Test != *done.Summary.Figures["rmse_test"] {
		t.Errorf("%+v", listed)
	}
	page, _ := ask[map[string]string](t, b, "report", `{"run": "heating-sigmoid-001"}`)
	if !strings.HasPrefix(page["html"], "<!doctype html>") && !strings.HasPrefix(page["html"], "<!DOCTYPE html>") {
		t.Errorf("%.80q", page["html"])
	}
}

// TestSearch: the search of a page tells its stages, and provisional rules before the next one.
func TestSearch(t *testing.T) {
	_, events := ask[trained](t, bench(t), "train", `{"table": "heating.csv", "preset": "readable", "leave_out": ["sun"], `+
		`"set": {"model.rules": 2, "model.page": 12, "model.terms": 1}}`)
	var course []string
	for _, e := range events {
		name, _ := e["stage"].(string)
		if e["event"] == "rules" {
			if name = "rules"; e["setting"] != 0.0 || e["loss"] != nil || len(e["rules"].([]any)) != 2 {
				t.Errorf("%v", e)
			}
		}
		if name != "" && !slices.Contains(course, name) {
			course = append(course, name)
		}
	}
	if want := []string{"reading", "pages", "rules", "ramps", "samples", "measures"}; !slices.Equal(course, want) {
		t.Errorf("%q, want %q", course, want)
	}
}

// TestStart: what a page shows first.
func TestStart(t *testing.T) {
	s, _ := ask[started](t, bench(t), "start", "{}")
	if len(s.Tables) != 1 || s.Tables[0] != "heating.csv" || len(s.Builtins) != 4 || s.Builtins[0].Doc == "" ||
		s.Presets[0].Name != "readable" || len(s.Exports) < 4 || s.Table != nil || s.Runs == nil {
		t.Errorf("%+v", s)
	}
}

// TestNames: names lead nowhere else, and unknown ones are errors of usage.
func TestNames(t *testing.T) {
	b := bench(t)
	elsewhere := t.TempDir()
	err := errors.Join(os.MkdirAll(b.options.Runs, 0o777), os.WriteFile(filepath.Join(elsewhere, "config.yaml"), nil, 0o600),
		os.Symlink(elsewhere, filepath.Join(b.options.Runs, "link-001")),
		os.Symlink("/etc/passwd", filepath.Join(b.options.Tables, "link.csv")))
	if err != nil {
		t.Fatal(err)
	}
	for method, args := range map[string][]string{
		"delete": {`{"run": "link-001"}`, `{"run": "../runs"}`},
		"look": {`{}`, `{"table": "../heating.csv"}`, `{"table": "/etc/passwd"}`, `{"table": "nothing.csv"}`, `{"table": "builtin:no"}`,
			`{"table": "heating.csv", "more": 1}`, `{"table": "a\\b"}`, `{"table": ".."}`, `{"table": "link.csv"}`, `{"table": "heating.csv"} 2`},
		"report": {`{}`, `{"run": ".."}`, `{"run": "a/b"}`, `{"run": "nothing-001"}`, `{"run": "."}`},
		"export": {`{"run": "../x", "target": "c"}`},
		"fly":    {`{}`},
	} {
		for _, one := range args {
			if _, err := b.Call(context.Background(), method, json.RawMessage(one), nil); err == nil {
				t.Errorf("%s %s: no error", method, one)
			} else if code, _ := message.ExitCode(err); code != message.ExitUsage {
				t.Errorf("%s %s: exit code %d: %v", method, one, code, err)
			}
		}
	}
}
