package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// studyEnv is the environment variable with the directory in which the test program, run as a child process, runs a study.
const studyEnv = "TSKGRAPH_TEST_STUDY"

func TestMain(m *testing.M) {
	if dir := os.Getenv(studyEnv); dir != "" {
		if err := runStudy(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "study")
	if err != nil {
		panic(err)
	}
	whole.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// whole is the study of all tests, with its report.
var whole struct {
	dir     string
	once    sync.Once
	results *Results
	takes   time.Duration
	err     error
}

// results returns the results of the study, whose files are in whole.dir.
func results(t *testing.T) *Results {
	t.Helper()
	whole.once.Do(func() {
		start := time.Now()
		if whole.results, whole.err = smallStudy(whole.dir); whole.err == nil {
			whole.err = NewReport(whole.results).Write(whole.dir)
		}
		whole.takes = time.Since(start)
	})
	if whole.err != nil {
		t.Fatal(whole.err)
	}
	return whole.results
}

// runStudy runs a small study of made-up data in a directory and writes its report there.
func runStudy(dir string) error {
	results, err := smallStudy(dir)
	if err != nil {
		return err
	}
	return NewReport(results).Write(dir)
}

func smallStudy(dir string) (*Results, error) {
	s := Plan{
		Dir: dir, Algorithms: Algorithms(), Memberships: []string{"gaussian", "trapezoid"},
		Repeats: 2, Seed: 1, Workers: 2, Curves: true, Store: filepath.Join(dir, "results"),
	}
	for _, set := range madeUp(dir, "one", "two") {
		set.Rules, set.Paper = 4, map[string]RuleCounts{"gaussian": {Rules: []float64{3, 2}, RemovedByFiring: []float64{1, 0.5},
			RemovedBySimilarity: []float64{0, 0.5}}}
		s.Sets = append(s.Sets, set)
	}
	return s.Run(context.Background())
}

// tree returns the files below a directory by path, without hidden ones (temporary files of killed processes).
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestKilledStudy kills a study at random times and restarts it until it ends: its files have the bytes of a study that was not killed.
func TestKilledStudy(t *testing.T) {
	testenv.SkipRace(t)
	results(t)
	takes, killed := whole.takes, t.TempDir()
	kills := 0
	for {
		wait := time.Duration(rand.Float64() * 0.6 * float64(takes))
		out, err := studyProcess(t, killed, wait)
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "killed") {
			t.Fatalf("after %d kills: %v\n%s", kills, err, out)
		}
		if kills++; kills == 5 { // let it finish
			takes = time.Hour
		}
	}
	if kills == 0 {
		t.Skip("it ended before the first kill")
	}
	want, got := tree(t, whole.dir), tree(t, killed)
	if len(want) < 50 {
		t.Fatalf("only %d files", len(want))
	}
	for path, content := range want {
		if got[path] != content {
			t.Errorf("%s differs after %d kills", path, kills)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// studyProcess runs the study in a child process and, if wait is not zero, kills it after wait.
func studyProcess(t *testing.T, dir string, wait time.Duration) ([]byte, error) {
	t.Helper()
	self := testenv.Must(os.Executable())
	var out bytes.Buffer
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), studyEnv+"="+dir, "TMPDIR="+t.TempDir()) // keeps the temporary files of a killed process
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if wait > 0 {
		timer := time.AfterFunc(wait, func() { cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	return out.Bytes(), err
}

// TestTables reads the files of a report back.
func TestTables(t *testing.T) {
	r := NewReport(results(t))
	for _, table := range r.tables() {
		text := testenv.Must(table.CSV())
		records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || len(records) != 1+len(table.Rows) {
			t.Fatalf("%s: %d records of %d rows, %v", table.Name, len(records), len(table.Rows), err)
		}
		text = testenv.Must(table.JSON())
		var objects []map[string]any
		if err := json.Unmarshal(text, &objects); err != nil || len(objects) != len(table.Rows) || len(objects[0]) != len(table.Columns) {
			t.Fatalf("%s: %d objects of %d rows, %v", table.Name, len(objects), len(table.Rows), err)
		}
		for _, cells := range table.Layout.Rows {
			if len(cells) != len(table.Layout.Head) {
				t.Errorf("%s: %q under %q", table.Name, cells, table.Layout.Head)
			}
		}
		for i, row := range table.Rows {
			for j, column := range table.Columns {
				if got, want := records[i+1][j], exact(row[j]); got != want {
					t.Errorf("%s, %s: %q, want %q", table.Name, column, got, want)
				}
			}
		}
	}
	var printed []map[string]any
	content := testenv.Must(os.ReadFile(filepath.Join(whole.dir, summaryTable)))
	if err := json.Unmarshal(content, &printed); err != nil {
		t.Fatal(err)
	}
	for _, p := range printed {
		for _, key := range []string{"dataset", "membership", "algorithm", "repeats", "rmse_mean", "rmse_sd", "rules_initial", "rules_round1",
			"rules_final", "removed_by_firing", "removed_by_similarity"} {
			if _, ok := p[key]; !ok {
				t.Errorf("%v has no %s", p["algorithm"], key)
			}
		}
		if p["algorithm"] == VariantPruning {
			left := p["rules_initial"].(float64)
			for i, key := range []string{"rules_round1", "rules_final"} {
				left -= p["removed_by_firing"].([]any)[i].(float64) + p["removed_by_similarity"].([]any)[i].(float64)
				if math.Abs(left-p[key].(float64)) > 1e-9 {
					t.Errorf("%s: %v, but %v are not removed", key, p[key], left)
				}
			}
		}
	}
	page := r.Markdown()
	for _, want := range []string{"| ONE | 4 |", "3.0 (1.0, 0.0)", "## Q1", "## Q2", "## Q3", "## start", "at most a tenth on ",
		"within 1% of one another on ", "figures/rmse-curves-gaussian.svg", "figures/anfis-curves.svg", "figures/improvements-trapezoid.svg"} {
		if !strings.Contains(page, want) {
			t.Errorf("the report does not have %q", want)
		}
	}
}

// TestFigures: every figure can be decoded, as PNG and as SVG, and has all its curves.
func TestFigures(t *testing.T) {
	all := figures(NewReport(results(t)))
	if len(all) != 5 {
		t.Fatalf("%d figures, want the paper's five", len(all))
	}
	for _, f := range all {
		for _, p := range f.panels {
			for i, curve := range p.curves {
				if len(curve) != 500 {
					t.Errorf("%s, %s, %s: %d points", f.name, p.dataset, f.algorithms[i], len(curve))
				}
			}
		}
		file := filepath.Join(whole.dir, figuresDir, f.name)
		image := testenv.Must(os.ReadFile(file + ".png"))
		if _, err := png.Decode(bytes.NewReader(image)); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if image = testenv.Must(os.ReadFile(file + ".svg")); !bytes.Contains(image, []byte("</svg>")) {
			t.Errorf("%s: no SVG", f.name)
		}
		for _, name := range f.algorithms {
			if !bytes.Contains(image, []byte(strings.ReplaceAll(name, ">", "&gt;"))) {
				t.Errorf("%s: the legend does not name %s", f.name, name)
			}
		}
	}
}

// TestLinks: a report is not written through a symbolic link in its directory.
func TestLinks(t *testing.T) {
	testenv.SkipRace(t)
	r := NewReport(results(t))
	for _, name := range []string{ReportFile, summaryTable, tablesDir, figuresDir} {
		dir, outside := t.TempDir(), t.TempDir()
		victim := filepath.Join(outside, "victim")
		put(victim, "mine")
		to := victim
		if name == tablesDir || name == figuresDir {
			to = outside
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := r.Write(dir); !errors.Is(err, safefile.ErrInTheWay) {
			t.Errorf("%s: %v", name, err)
		}
		left, err := os.ReadDir(outside)
		text, readErr := os.ReadFile(victim)
		if err != nil || readErr != nil || len(left) != 1 || string(text) != "mine" {
			t.Errorf("%s: written outside: %v, %q, %v, %v", name, left, text, err, readErr)
		}
	}
}

const hostile = "\x1b[31m|<script>alert(1)</script>\u202e=cmd"

// TestTableEscapes: a hostile name stays text within its cell in every form of a table.
func TestTableEscapes(t *testing.T) {
	table := &Table{Name: "t", Caption: "caption",
		Layout: text.Table{Left: 1, Head: []string{hostile, "n"}, Rows: [][]string{{hostile, "1"}}}}
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	if shown := `\x1b[31m|<script>alert(1)</script>\u202e=cmd`; strings.Count(b.String(), shown) != 2 ||
		strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("on a terminal:\n%q", b.String())
	}
	want := "| " + `\\x1b[31m\|\<script>alert(1)\</script>\\u202e=cmd` + " | "
	if got := table.Markdown(); strings.Count(got, want) != 2 || strings.ContainsAny(got, "\x1b\u202e") {
		t.Errorf("in Markdown:\n%s", got)
	}
}
