package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/app/workbench"
)

// TestWorkbenchRuns: a run of the workbench is one of the command, which reads it, and trains its model again, bit for bit, by its
// configuration and by the line that the page shows.
func TestWorkbenchRuns(t *testing.T) {
	home := t.TempDir()
	b := workbench.New(workbench.Options{Tables: filepath.Join(home, "tables"), Runs: filepath.Join(home, "runs")})
	table, err := os.Open("../docs/heating.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if _, err := b.Upload("heating.csv", table); err != nil {
		t.Fatal(err)
	}
	call := func(method, args string) map[string]any {
		t.Helper()
		result, err := b.Call(context.Background(), method, json.RawMessage(args), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(result)
		fields := map[string]any{}
		if err != nil || json.Unmarshal(text, &fields) != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return fields
	}
	name := call("train", `{"table": "heating.csv", "units": {"outside": "°C"}, "set": {"train.iterations": 80, "train.race_splits": 1}}`)["run"].(string)
	dir := filepath.Join(home, "runs", name)
	want, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) {
		t.Helper()
		var stderr strings.Builder
		if code := run(context.Background(), args, nil, io.Discard, &stderr); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, &stderr)
		}
	}
	for i, args := range [][]string{
		{"train", "--config", filepath.Join(dir, "config.yaml")},
		printedWords(call("command", `{"run": "`+name+`"}`)["lines"].([]any)[1].(string)),
	} {
		again := filepath.Join(home, "again", string(rune('0'+i)))
		command(append(args, "--set", "output.dir="+again)...)
		if got, err := os.ReadFile(filepath.Join(again, name, "model.json")); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q: another model, %v", args, err)
		}
	}
	command("show", "--model", dir)
	command("report", dir, "--out", filepath.Join(home, "r.html"))
	command("predict", "--model", dir, "--data", filepath.Join(home, "tables", "heating.csv"), "--out", filepath.Join(home, "p.csv"))
	command("train", "--resume", dir)
}

// printedWords divides a line of the command as a shell does, without its name.
func printedWords(line string) (all []string) {
	quoted := false
	for i, part := range strings.Split(line, "'") {
		switch quoted = i%2 == 1; {
		case quoted:
			all[len(all)-1] += part
		default:
			for j, word := range strings.Split(part, " ") {
				if j > 0 || i == 0 {
					all = append(all, "")
				}
				all[len(all)-1] += word
			}
		}
	}
	return all[1:]
}
