package data

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// largeTable is a table of n rows with every kind of column.
func largeTable(n int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("id,a,b,size,colour,w,g,y,kind\n")
	for i := range n {
		a := fmt.Sprintf("%.3f", rng.NormFloat64())
		if rng.IntN(50) == 0 {
			a = ""
		}
		fmt.Fprintf(&b, "r%d,%s,%d,%s,%s,%d,g%d,%.4f,%s\n", i, a, rng.IntN(1000), []string{"small", "medium", "large"}[rng.IntN(3)],
			[]string{"red", "green", "blue"}[rng.IntN(3)], rng.IntN(4), rng.IntN(n/5+1), rng.ExpFloat64(),
			[]string{"x", "y", "z"}[min(2, rng.IntN(9))])
	}
	return b.String()
}

var largeOptions = table.Options{
	Target: "y", Features: []string{"a", "b", "size", "colour"}, Weight: "w", Missing: "mean",
	Categorical: map[string]table.Coding{"size": {Encoding: table.Ordinal, Levels: []string{"small", "medium", "large"}}},
}

// ingestTable ingests a table with the given options.
func ingestTable(t *testing.T, text string, o table.Options, sp Split) (*Parts, *ingest) {
	t.Helper()
	testenv.OK(t, o.Validate())
	path := filepath.Join(t.TempDir(), "table.csv")
	testenv.OK(t, os.WriteFile(path, []byte(text), 0o600))
	o.Scratch = t.TempDir()
	g := testenv.Must(loadingBy(o, table.Input{Name: path}).ingest(context.Background(), assignment{Split: sp}, o))
	p := testenv.Must(g.parts())
	t.Cleanup(func() {
		testenv.OK(t, p.Close())
	})
	return p, g
}

// The parts of an ingested table have all of its rows, each once, with the values that Read gives them.
func TestIngestParts(t *testing.T) {
	const n = 3000
	text := largeTable(n)
	all := testenv.Must(readTable(table.Input{Name: "t", Reader: strings.NewReader(text)}, largeOptions))
	p, _ := ingestTable(t, text, largeOptions, Split{Train: 0.6, Validation: 0.2, Seed: 3, Calibration: 0.25})
	row := map[int]int{} // of each row: its sample in all
	for i, r := range all.Rows {
		row[r] = i
	}
	seen := 0
	for _, part := range p.all() {
		d := part.data
		seen += d.Len()
		if d.Whole != nil || d.Len() < 300 || !slices.IsSorted(d.Rows) {
			t.Errorf("%s: %d rows, Whole %v", part.file, d.Len(), d.Whole)
		}
		want := all.Subset(mapped(d.Rows, row))
		if !same(d.X, want.X) || !slices.Equal(d.Y, want.Y) || !slices.Equal(d.Weights, want.Weights) ||
			fmt.Sprint(d.Schema, d.Missing) != fmt.Sprint(all.Schema, all.Missing) {
			t.Errorf("%s: other values than Read gives", part.file)
		}
		for i := range d.Rows {
			delete(row, d.Rows[i])
		}
	}
	if seen != all.Len() || len(row) > 0 {
		t.Errorf("%d rows in the parts, %d in no part, of %d", seen, len(row), all.Len())
	}
	if share := float64(p.Train.Len()+p.Calibration.Len()) / float64(all.Len()); math.Abs(share-0.6) > 0.04 {
		t.Errorf("training and calibration have %v of the rows", share)
	}
}

func mapped(keys []int, to map[int]int) (values []int) {
	for _, k := range keys {
		values = append(values, to[k])
	}
	return values
}

// The whole of a part gives every row once, and exact moments, in memory and on disk.
func TestIngestWhole(t *testing.T) {
	text := largeTable(4000)
	for _, o := range []table.Options{largeOptions, {Target: "kind", Features: []string{"a", "b"}, Missing: "mean", Weight: "w"},
		{Target: "y", Others: []string{"b"}, Features: []string{"size"}}} {
		p, g := ingestTable(t, text, o, Split{Train: 0.999999, Seed: 1})
		w := &ingested{ingest: g, shard: g.shards[trainShard], name: "train"}
		if w.Len() != p.Train.Len() || p.Test != nil {
			t.Fatalf("%d rows, %d in the sample, test part %v", w.Len(), p.Train.Len(), p.Test)
		}
		var x [][]float64
		var y [][]float64
		for i := range w.Buckets() {
			b := testenv.Must(w.Bucket(i))
			if b != nil {
				x, y = append(x, b.X...), append(y, rowsOf(b.Y, b.Len(), 1)...)
			}
		}
		if len(x) != w.Len() || sumOf(x) != sumOf(p.Train.X) || sumOf(y) != sumOf(rowsOf(p.Train.Y, p.Train.Len(), 1)) {
			t.Errorf("%d rows in the buckets, of %d, or other values", len(x), w.Len())
		}
		in := *p.Train
		memory := inMemory{data: &in}
		memory.measure()
		closeTo(t, w.Features(), memory.Features())
		closeTo(t, w.Targets(), memory.Targets())
		if !slices.Equal(w.ClassWeights(), memory.ClassWeights()) || w.Weight() != memory.Weight() {
			t.Errorf("class weights %v of %v, want %v of %v", w.ClassWeights(), w.Weight(), memory.ClassWeights(), memory.Weight())
		}
	}
}

// sumOf returns a number that does not depend on the order of rows, up to rounding that is cut off.
func sumOf(rows [][]float64) float64 {
	sum := 0.0
	for _, row := range rows {
		for m, v := range row {
			if !math.IsNaN(v) {
				sum += math.Round(v*1e4) * float64(m+1)
			}
		}
	}
	return sum
}

func closeTo(t *testing.T, got, want []Moments) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d moments, want %d", len(got), len(want))
	}
	for m, g := range got {
		w := want[m]
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }
		if g.N != w.N || !near(g.Weight, w.Weight) || !near(g.Mean, w.Mean) || !near(g.SD, w.SD) || g.Min != w.Min || g.Max != w.Max {
			t.Errorf("column %d: %+v, want %+v", m, g, w)
		}
	}
}

// Rows of one group are in one part, and equal rows are not divided between training and calibration.
func TestIngestTogether(t *testing.T) {
	o := largeOptions
	o.Weight, o.Group = "", "g"
	text := largeTable(2000)
	p, _ := ingestTable(t, text, o, Split{Train: 0.5, Calibration: 0.3})
	part := map[int]string{}
	for _, one := range p.all() {
		for _, g := range one.data.Groups {
			if at, known := part[g]; known && at != one.file {
				t.Fatalf("group %d is in %s and %s", g, at, one.file)
			}
			part[g] = one.file
		}
	}
	body := text[strings.Index(text, "\n")+1:]
	p, _ = ingestTable(t, text+body, largeOptions, Split{Train: 0.999999, Calibration: 0.5})
	equal := map[string]bool{}
	for i := range p.Calibration.Y {
		equal[fmt.Sprint(p.Calibration.X[i], p.Calibration.Y[i])] = true
	}
	for i := range p.Train.Y {
		if equal[fmt.Sprint(p.Train.X[i], p.Train.Y[i])] {
			t.Fatalf("row %d of the training part equals one of the calibration part", p.Train.Rows[i])
		}
	}
}

// A division in order has the first rows to train on.
func TestIngestChronological(t *testing.T) {
	o := table.Options{Target: "y", Features: []string{"b"}}
	p, _ := ingestTable(t, largeTable(1000), o, Split{Kind: "chronological", Train: 0.5, Validation: 0.2, Calibration: 0.1})
	for _, c := range []struct {
		d         *Dataset
		from, end int
	}{{p.Train, 1, 450}, {p.Calibration, 451, 500}, {p.Validation, 501, 700}, {p.Test, 701, 1000}} {
		if n := c.d.Len(); n != c.end-c.from+1 || c.d.Rows[0] != c.from || c.d.Rows[n-1] != c.end || !c.d.Ordered {
			t.Errorf("rows %d to %d, want %d to %d", c.d.Rows[0], c.d.Rows[n-1], c.from, c.end)
		}
	}
}

// A missing cell stops the ingest in the training part, not in the test part.
func TestIngestBlanks(t *testing.T) {
	text := "a,y,s\n1,2,train\n2,3,train\n,4,test\n5,6,test\n"
	o := table.Options{Target: "y", SplitColumn: "s", TestBlanks: true}
	p, _ := ingestTable(t, text, o, Split{Kind: "column", Column: "s"})
	if p.Train.Missing.Cells != 0 || p.Test.Missing.Policy != table.MissingMean || !math.IsNaN(p.Test.X[0][0]) {
		t.Errorf("missing cells %+v and %+v", p.Train.Missing, p.Test.Missing)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	testenv.OK(t, os.WriteFile(path, []byte(strings.Replace(text, ",4,test", ",4,train", 1)), 0o600))
	_, err := loadingBy(o, table.Input{Name: path}).ingest(context.Background(), assignment{Split: Split{Kind: "column", Column: "s"}}, o)
	testenv.FailsWith(t, err, "t.csv:4:1: column \"a\": the cell is blank")
}

// A table of more than SampleRows rows has parts that are samples, whose files hold their rows unchanged.
func TestLoadLarge(t *testing.T) {
	testenv.SkipRace(t)
	const n = SampleRows + 100_000
	var b strings.Builder
	b.WriteString("x,y\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%d.50\n", i, i%7)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "large.csv")
	testenv.OK(t, os.WriteFile(path, []byte(b.String()), 0o600))
	var fingerprints []string
	for _, memory := range []int64{1 << 20, 1 << 30} {
		s := Source{Path: path, Options: table.Options{Target: "y", Memory: memory, Scratch: dir}, Split: Split{Train: 0.8, Seed: 5}}
		p := testenv.Must(s.Load(context.Background()))
		if p.Train.Len() != SampleRows || p.Train.Whole == nil || p.Test.Whole != nil || p.Train.Whole.Len()+p.Test.Len() != n {
			t.Fatalf("%d rows of %v to train on, %d to test on", p.Train.Len(), p.Train.Whole, p.Test.Len())
		}
		fingerprints = append(fingerprints, p.Train.Fingerprint())
		out := t.TempDir()
		testenv.OK(t, s.WriteParts(out, p))
		text := testenv.Must(os.ReadFile(filepath.Join(out, "train.csv")))
		if lines := strings.Split(strings.TrimSpace(string(text)), "\n"); len(lines) != 1+SampleRows ||
			lines[1] != fmt.Sprintf("%d,%d.50", p.Train.Rows[0]-1, (p.Train.Rows[0]-1)%7) {
			t.Errorf("train.csv has %d lines: %q, ...", len(lines), lines[:2])
		}
		testenv.OK(t, p.Close())
	}
	testenv.Equal(t, fingerprints[0], fingerprints[1], "another training part with little memory")
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files left: %v", left)
	}
	d, err := ReadSample(context.Background(), path, table.Options{Target: "y"})
	if err != nil || d.Len() != SampleRows || d.Whole != nil || !slices.IsSorted(d.Rows) || d.Rows[SampleRows-1] < n-100 {
		t.Errorf("a sample of %v: %v", d, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Source{Path: path, Options: table.Options{Target: "y"}}).Load(ctx); err == nil ||
		!strings.Contains(err.Error(), "interrupted") {
		t.Errorf("error %v of a context that is done", err)
	}
}

// The sample of a data set in memory has the same rows in every call, and a row of each class.
func TestSampled(t *testing.T) {
	n := SampleRows + 1000
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = []float64{float64(i)}
	}
	y[17] = 1
	d := testenv.Must(New([]string{"x"}, "y", x, y))
	d.Schema.Classes = []string{"no", "yes"}
	s := d.Sampled(3)
	if s.Len() < SampleRows-2 || s.Len() > SampleRows || !slices.Contains(s.Y, 1) || s.Whole.Len() != n || s.Whole.ClassWeights()[1] != 1 {
		t.Errorf("a sample of %d rows", s.Len())
	}
	if s.Fingerprint() != d.Sampled(3).Fingerprint() || s.Fingerprint() == d.Sampled(4).Fingerprint() || s.Sampled(1) != s {
		t.Error("samples differ, or those of other seeds do not")
	}
	rows := 0
	for i := range s.Whole.Buckets() {
		b := testenv.Must(s.Whole.Bucket(i))
		rows += b.Len()
	}
	testenv.Equal(t, rows, n, "rows in the buckets")
}

// Moments of blocks that are merged are those of all values, to rounding, near the largest numbers too.
func TestMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ shift, scale float64 }{{0, 1}, {1e9, 1e-3}, {0, 1e307}, {0, 1e-300}, {-3, 0}} {
		values, weights := make([]float64, 2000), make([]float64, 2000)
		for i := range values {
			values[i], weights[i] = c.shift+c.scale*rng.NormFloat64(), float64(rng.IntN(3)+1)
			if i%10 == 3 {
				values[i] = math.NaN()
			}
		}
		for _, w := range [][]float64{nil, weights} {
			var merged spread
			for i := 0; i < len(values); i += 256 {
				end := min(i+256, len(values))
				if w == nil {
					merged.merge(spreadOf(values[i:end], nil))
				} else {
					merged.merge(spreadOf(values[i:end], w[i:end]))
				}
			}
			got, want := merged.moments(), twoPass(values, w, c.shift, c.scale)
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(math.Abs(b)+c.scale) }
			if got.N != want.N || got.Weight != want.Weight || !near(got.Mean, want.Mean) || math.Abs(got.SD-want.SD) > 1e-9*want.SD ||
				got.Min != want.Min || got.Max != want.Max {
				t.Errorf("%+v: %+v, want %+v", c, got, want)
			}
		}
	}
	testenv.Equal(t, (spread{}).moments(), (Moments{}), "no values")
}

// twoPass computes moments by their definition of deviations from shift in units of scale.
func twoPass(values, weights []float64, shift, scale float64) Moments {
	m := Moments{Min: math.Inf(1), Max: math.Inf(-1)}
	unit := scale
	if unit == 0 {
		unit = 1
	}
	for i, v := range values {
		if !math.IsNaN(v) {
			m.N++
			m.Weight += at(weights, i)
			m.Min, m.Max = min(m.Min, v), max(m.Max, v)
			m.Mean += (v - shift) / unit * at(weights, i)
		}
	}
	m.Mean /= m.Weight
	for i, v := range values {
		if d := (v-shift)/unit - m.Mean; !math.IsNaN(v) {
			m.SD += d * d * at(weights, i)
		}
	}
	m.SD = unit * math.Sqrt(m.SD*float64(m.N)/m.Weight/float64(m.N-1))
	m.Mean = shift + unit*m.Mean
	if m.Min == m.Max {
		m.Mean, m.SD = m.Min, 0
	}
	return m
}

// BenchmarkIngest ingests a table of numbers, in memory and to a scratch file.
func BenchmarkIngest(b *testing.B) {
	const rows, columns = 100_000, 21
	rng := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for m := range columns - 1 {
		fmt.Fprintf(&text, "x%d,", m)
	}
	text.WriteString("y\n")
	for range rows {
		for range columns - 1 {
			fmt.Fprintf(&text, "%.5f,", rng.Float64())
		}
		fmt.Fprintf(&text, "%.4f\n", rng.NormFloat64())
	}
	path := filepath.Join(b.TempDir(), "table.csv")
	testenv.OK(b, os.WriteFile(path, []byte(text.String()), 0o600))
	for _, memory := range []int64{1 << 30, 1 << 20} {
		b.Run(fmt.Sprintf("memory=%dMiB", memory>>20), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			o := table.Options{Target: "y", Memory: memory, Scratch: b.TempDir()}
			for b.Loop() {
				g := testenv.Must(loadingBy(o, table.Input{Name: path}).ingest(context.Background(), assignment{}, o))
				testenv.OK(b, g.store.Close())
			}
		})
	}
}

// drawn is a table of n rows of nine features and a target, some 70 bytes a row.
func drawn(n int) string {
	var b strings.Builder
	b.WriteString("f1,f2,f3,f4,f5,f6,f7,f8,f9,y\n")
	for i := range n {
		v := float64(i*7919%10007) / 10007
		fmt.Fprintf(&b, "%.2f,%.2f,%.5f,%.3f,%.3f,%.4f,%.2f,%d,%.4f,%.3f\n", 2e4*v, 5e3*(1-v), v, 99*v*v, 1e6*v, 300*v, 5e3*v, i%350, 40*v, 20*v)
	}
	return b.String()
}

func BenchmarkReadCSV(b *testing.B) {
	run := func(b *testing.B, path, target string) {
		info := testenv.Must(os.Stat(path))
		b.SetBytes(info.Size())
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Read(path, table.Options{Target: target}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("drawn", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "t.csv")
		testenv.OK(b, os.WriteFile(path, []byte(drawn(50_000)), 0o600))
		run(b, path, "y")
	})
	b.Run("protein", func(b *testing.B) { run(b, filepath.Join(testenv.Data(b), "protein.csv"), "rmsd") })
}
