package score

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv"
	_ "github.com/tskgraph/tskgraph/data/table/parquet"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/model"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// tableText returns a table with quotes and line ends in cells; delimiter and decimal mark vary.
func tableText(rows int, seed uint64, delimiter string) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	fmt.Fprintf(&b, "a%[1]sb%[1]sy%[1]snote\n", delimiter)
	for i := range rows {
		x, z := rng.NormFloat64(), rng.NormFloat64()
		fmt.Fprintf(&b, "%.4[2]f%[1]s%.4[3]f%[1]s%.4[4]f%[1]s\"row %[5]d, \"\"q\"\"\n\"\n", delimiter, x, z, x*z, i)
	}
	return b.String()
}

// trained writes a model of a table, and returns its path.
func trained(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "train.csv")
	write(t, path, tableText(300, 7, ","))
	parts, err := data.Source{Path: path, Options: data.Options{Target: "y", Ignore: []string{"note"}},
		Split: data.Split{Train: 1}}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	recipe := tskgraph.Paper()
	recipe.Train.Iterations, recipe.Model.Rules = 30, 4
	result, err := tskgraph.Train(t.Context(), parts.Train, nil, recipe)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "model.json")
	if err := result.Model.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run scores files in this process.
func run(ctx context.Context, o Options) (*Report, error) {
	return Run(ctx, o, &cluster.Options{Runner: "prism"}, pflag.NewFlagSet("", 0), io.Discard, io.Discard)
}

// predicted returns what tskgraph predict writes for a file.
func predicted(t *testing.T, modelPath, file string, o model.TableOptions) string {
	t.Helper()
	m, err := model.Load(modelPath)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := prediction.Write(t.Context(), m, data.Input{Name: file}, o, file, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The outputs of whole files are those of tskgraph predict to the byte, in every format; the parts of a divided file have its rows,
// whatever the order of the files.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	o := Options{Model: trained(t, dir), Output: filepath.Join(dir, "out")}
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o777); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for i, name := range []string{"a.csv", "b.csv", "c.csv.gz", "d.parquet"} {
		path := filepath.Join(in, name)
		write(t, path, tableText(400, uint64(i), ","))
		if i > 1 { // as predict writes it, without its predictions
			source := filepath.Join(dir, "source.csv")
			write(t, source, strings.ReplaceAll(tableText(400, uint64(i), ","), "note", "remark"))
			write(t, path, strings.ReplaceAll(predictedAs(t, o.Model, source, name), "y_predicted", "z_predicted"))
		}
		want[name] = predicted(t, o.Model, path, model.TableOptions{Firing: true})
		o.Input = append([]string{path}, o.Input...)
	}
	o.Flags.Firing = true
	r, err := run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows != 1600 || len(r.Files) != 4 || !strings.HasSuffix(r.Files[0].File, "d.parquet") {
		t.Errorf("%+v", r)
	}
	for name, text := range want {
		if read(t, filepath.Join(o.Output, name)) != text {
			t.Errorf("%s is not what predict writes", name)
		}
	}
	o.Split = 3000
	if r, err = run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		if !strings.HasSuffix(f.File, ".csv") {
			continue
		}
		joined := ""
		for i, out := range f.Out {
			header, rows, _ := strings.Cut(read(t, out), "\n")
			if i == 0 {
				joined = header + "\n"
			}
			joined += rows
		}
		if len(f.Out) < 4 || joined != want[filepath.Base(f.File)] || f.Rows != 400 {
			t.Errorf("%d parts of %s have other rows than predict writes", len(f.Out), f.File)
		}
	}
}

// predictedAs is predicted in the format of a name; it makes tables to score.
func predictedAs(t *testing.T, modelPath, file, name string) string {
	t.Helper()
	m, err := model.Load(modelPath)
	if err != nil {
		t.Fatal(err)
	}
	m.Schema.Target = "u" // so that the column is no prediction of the model
	m.Schema.Others = nil
	var b bytes.Buffer
	if _, err := prediction.Write(t.Context(), m, data.Input{Name: file}, model.TableOptions{}, name, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A bad row is an error with the line of the file, also in the middle of a divided one.
func TestBadRow(t *testing.T) {
	dir := t.TempDir()
	o := Options{Model: trained(t, dir), Output: filepath.Join(dir, "out"), Split: 2000, Input: []string{filepath.Join(dir, "bad.csv")}}
	lines := strings.SplitAfter(tableText(400, 1, ","), "\n")
	lines[601] = "oops" + lines[601][strings.Index(lines[601], ","):]
	write(t, o.Input[0], strings.Join(lines, ""))
	_, err := run(t.Context(), o)
	if want := o.Input[0] + `:602:1: column "a": "oops"`; err == nil || !strings.HasPrefix(err.Error(), want) || cluster.ExitCode(err) != 3 {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := os.Stat(filepath.Join(o.Output, "score.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a failed job has a report: %v", err)
	}
	for range runtime.GOMAXPROCS(0) { // other shards of the file that are being scored write to the directory
		release, err := cluster.Slot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer release()
	}
	_ = os.RemoveAll(o.Output)
}

// A shard that is scored twice leaves one file with the same bytes, and one whose file is gone is an error without an output.
func TestRepeated(t *testing.T) {
	dir := t.TempDir()
	text, _, err := readModel(t.Context(), trained(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	path, out := filepath.Join(dir, "a.csv"), filepath.Join(dir, "out")
	write(t, path, tableText(100, 3, ","))
	at, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	fn := &scoreFn{[]byte("{}"), naming{filepath.ToSlash(dir), out}}
	s := shard.Shard{File: path, Size: at.Size(), Of: 1, End: at.Size()}
	var first string
	for i := range 2 {
		if _, err := fn.score(t.Context(), s, text, nil); err != nil {
			t.Fatal(err)
		}
		now := read(t, filepath.Join(out, "a.csv"))
		if i > 0 && now != first {
			t.Error("the second attempt wrote other bytes")
		}
		first = now
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(out, "a.csv")); err != nil {
		t.Fatal(err)
	}
	var table *data.Error
	if _, err := fn.score(t.Context(), s, text, nil); !errors.As(err, &table) || table.File != path {
		t.Error(err)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// Decimal marks are judged by the whole of a divided file.
func TestMarksOfParts(t *testing.T) {
	dir := t.TempDir()
	o := Options{Model: trained(t, dir), Output: filepath.Join(dir, "out"), Split: 40, Input: []string{filepath.Join(dir, "t.csv")}}
	rows := strings.Repeat("1,234;2\n", 8) + strings.Repeat("999;3\n", 8)
	write(t, o.Input[0], "a;b\n"+rows+strings.Repeat("1,5;4\n", 8))
	r, err := run(t.Context(), o)
	if err != nil || len(r.Files[0].Out) < 3 || fmt.Sprint(r.Files[0].Commas) != "[a]" {
		t.Errorf("%+v, %v", r, err)
	}
	write(t, o.Input[0], "a;b\n"+rows)
	if _, err = run(t.Context(), o); err == nil || !strings.Contains(err.Error(),
		"t.csv:2:1: column \"a\": \"1,234\" has a thousands separator") || cluster.ExitCode(err) != 3 {
		t.Error(err)
	}
}

// Options that contradict each other are errors before anything runs.
func TestChecks(t *testing.T) {
	dir := t.TempDir()
	o := Options{Model: trained(t, dir), Output: filepath.Join(dir, "out"), Input: []string{filepath.Join(dir, "train.csv")}}
	write(t, filepath.Join(dir, "twin.csv"), "a,b\n1,2\n")
	write(t, filepath.Join(dir, "twin.tsv"), "a\tb\n1\t2\n")
	for want, change := range map[string]func(*Options){
		"is the input":             func(o *Options) { o.Output = dir },
		"twice: remove one":        func(o *Options) { o.Input = append(o.Input, filepath.Join(dir, "tr*.csv")) },
		"no file matches":          func(o *Options) { o.Input = []string{filepath.Join(dir, "none*.csv")} },
		"only a committee":         func(o *Options) { o.Flags.Spread = true },
		"--delimiter dot":          func(o *Options) { o.Flags.Delimiter = "dot" },
		"--background is required": func(o *Options) { o.Flags.WithExplain = true },
		"one * at most":            func(o *Options) { o.Output = "a*b*.csv" },
		"--safe-cells is for":      func(o *Options) { o.Flags.SafeCells, o.Output = true, filepath.Join(dir, "out", "*.parquet") },
		"would both be written to": func(o *Options) {
			o.Input, o.Output = []string{filepath.Join(dir, "twin.*")}, filepath.Join(dir, "out", "*.csv")
		},
		"no such file": func(o *Options) { o.Model = filepath.Join(dir, "none.json") },
	} {
		changed := o
		change(&changed)
		if _, err := run(t.Context(), changed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
