package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// uploads returns a workbench in a directory of its own with a table.
func uploads(t *testing.T) (*Bench, string) {
	t.Helper()
	dir := t.TempDir()
	b := New(Options{Tables: filepath.Join(dir, "tables"), Runs: dir})
	if got, err := b.Upload("t.csv", strings.NewReader("a,y\n1,2\n")); got != "t.csv" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	return b, b.options.Tables
}

// names returns the names in a directory.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestForgetOwn: forget removes the tables that were uploaded, with what killed uploads left, and nothing else: neither a file of the user
// nor a table that was changed. None of these is a table of the page.
func TestForgetOwn(t *testing.T) {
	b, dir := uploads(t)
	for _, name := range []string{"thesis.docx", "lock", ".notes.json", ".t2.csv.json", "t2.csv", ".tskgraph-.upload-0"} {
		put(t, filepath.Join(dir, name), "a,y\n1,2\n")
	}
	put(t, filepath.Join(dir, ".gone.csv.json"), string(read(t, filepath.Join(dir, ".t.csv.json"))))
	if err := os.Truncate(filepath.Join(dir, "thesis.docx"), 1<<40); err != nil { // reading it would take minutes
		t.Fatal(err)
	}
	if got, err := b.Upload("thesis.docx", strings.NewReader("a,y\n3,4\n")); got != "thesis-2.docx" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	if got, err := b.Upload("edited.csv", strings.NewReader("a,y\n5,6\n")); got != "edited.csv" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	put(t, filepath.Join(dir, "edited.csv"), "a,y\n5,7\n")
	s, _ := ask[started](t, b, "start", "{}")
	if want := []string{"edited.csv", "t.csv", "thesis-2.docx"}; !slices.Equal(s.Tables, want) {
		t.Errorf("tables %q, want %q", s.Tables, want)
	}
	fault(t, b, "look", `{"table": "thesis.docx"}`, "usage", "no table")
	gone, _ := ask[removed](t, b, "forget", "{}")
	if want := []string{".edited.csv.json", ".notes.json", ".t2.csv.json", "edited.csv", "lock", "t2.csv",
		"thesis.docx"}; !slices.Equal(names(t, dir), want) || !slices.Equal(gone.Kept, []string{"edited.csv"}) {
		t.Errorf("left %q, want %q; kept %q", names(t, dir), want, gone.Kept)
	}
}

// TestTablesPrivate: nobody but the user reads uploaded tables and the rows in runs.
func TestTablesPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions")
	}
	b := bench(t)
	done, _ := ask[trained](t, b, "train", `{"table": "heating.csv", "preset": "paper", "set": {"train.iterations": 2}}`)
	for path, want := range map[string]os.FileMode{
		b.options.Tables: 0o700, filepath.Join(b.options.Tables, "heating.csv"): 0o600,
		filepath.Join(b.options.Tables, ".heating.csv.json"): 0o600,
		filepath.Join(b.options.Runs, done.Run):              0o700,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

// TestTablesLink: a directory of tables that is a link is neither written to nor read.
func TestTablesLink(t *testing.T) {
	elsewhere, dir := t.TempDir(), t.TempDir()
	put(t, filepath.Join(elsewhere, "mine.csv"), "a,y\n1,2\n")
	b := New(Options{Tables: filepath.Join(dir, "tables"), Runs: dir})
	if err := os.Symlink(elsewhere, b.options.Tables); err != nil {
		t.Skip(err)
	}
	if _, err := b.Upload("t.csv", strings.NewReader("a,y\n1,2\n")); err == nil ||
		!strings.Contains(err.Error(), "tables is a symbolic link") {
		t.Errorf("upload: %v", err)
	}
	for method, args := range map[string]string{"start": "{}", "forget": "{}", "look": `{"table": "mine.csv"}`} {
		fault(t, b, method, args, "failed", "tables is a symbolic link")
	}
	if left := names(t, elsewhere); !slices.Equal(left, []string{"mine.csv"}) {
		t.Errorf("the other directory has %q", left)
	}
}

// TestTablesAreNoRun: tables whose names are those of the files of a run make none, which could name any table; and a
// directory with another config.yaml is not deleted.
func TestTablesAreNoRun(t *testing.T) {
	b, dir := uploads(t)
	for _, name := range []string{"config.yaml", "model.json", "summary.json", "train.csv"} {
		if got, err := b.Upload(name, strings.NewReader("data: {path: /home/user/secret.csv, target: y}\n")); got != name || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
	}
	foreign := filepath.Join(b.options.Runs, "project")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.yaml", "model.json", "train.csv"} {
		put(t, filepath.Join(foreign, name), "")
	}
	for method, args := range map[string]string{
		"train": `{"from": {"run": "tables", "rules": "rules: []"}}`, "delete": `{"run": "tables"}`, "command": `{"run": "tables"}`,
		"rules":  `{"run": "tables"}`,
		"export": `{"run": "tables", "target": "config.yaml"}`, "compare": `{"runs": ["tables", "tables"]}`,
	} {
		fault(t, b, method, args, "usage", `no run "tables"`)
	}
	fault(t, b, "delete", `{"run": "project"}`, "usage", "not a complete run")
	if len(names(t, dir)) != 10 || len(names(t, foreign)) != 3 {
		t.Errorf("left %q and %q", names(t, dir), names(t, foreign))
	}
}

// TestUploadsAtOnce: uploads that send slowly hold up neither another one nor forget, and uploads of one name by several workbenches do not
// replace one another.
func TestUploadsAtOnce(t *testing.T) {
	b, dir := uploads(t)
	in, out := io.Pipe()
	slow := make(chan string)
	go func() {
		name, err := b.Upload("t.csv", in)
		slow <- fmt.Sprint(name, err)
	}()
	if _, err := io.WriteString(out, "a,y\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Upload("second.csv", strings.NewReader("a,y\n1,2\n")); got != "second.csv" || err != nil {
		t.Errorf("beside a slow one: %q, %v", got, err)
	}
	if _, err := b.Call(context.Background(), "forget", json.RawMessage("{}"), nil); err != nil {
		t.Error(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-slow; got != "t.csv<nil>" {
		t.Errorf("the slow one: %s", got)
	}
	const many = 20
	var all sync.WaitGroup
	var saved [many]string
	for i := range many {
		all.Go(func() {
			name, err := New(b.options).Upload("same.csv", strings.NewReader(fmt.Sprint(i)))
			if saved[i] = name; err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i, name := range saved {
		if text := read(t, filepath.Join(dir, name)); string(text) != fmt.Sprint(i) {
			t.Errorf("%s has %q, want %d", name, text, i)
		}
	}
}
