package c_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/c"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// drawn returns a model of R drawn Gaussian rules over M numbers, each rule with M conditions, and
// samples of unit variance.
func drawn(tb testing.TB, R, M int) (*model.Model, [][]float64) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	d := &data.Dataset{Schema: data.Schema{Target: "y"}, Missing: data.Missing{Policy: "error"}}
	for m := range M {
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: "x" + strconv.Itoa(m+1), Encoding: data.Numeric})
	}
	draw := func(n int, by func() float64) (v []float64) {
		for range n {
			v = append(v, by())
		}
		return v
	}
	for n := range 512 {
		d.X, d.Y, d.Rows = append(d.X, draw(M, rng.NormFloat64)), append(d.Y, rng.NormFloat64()), append(d.Rows, n+1)
	}
	p, err := model.Fit(context.Background(), d)
	if err != nil {
		tb.Fatal(err)
	}
	p.Standardise(d)
	clusters := &rules.Clusters{Targets: draw(R, rng.NormFloat64)}
	for range R {
		clusters.Centers, clusters.Spreads = append(clusters.Centers, draw(M, rng.NormFloat64)),
			append(clusters.Spreads, draw(M, func() float64 { return 1 + rng.Float64() }))
	}
	rb := rules.New(membership.Gaussian{}, clusters)
	for _, w := range rb.Consequents {
		copy(w[1:], draw(M, rng.NormFloat64))
	}
	m, err := model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len(), Iterations: 1, Engine: "fused",
		Options: map[string]string{}})
	if err != nil {
		tb.Fatal(err)
	}
	return m, d.X
}

// BenchmarkPredict times a prediction by a model of 32 rules and 8 inputs, in C and by package model,
// and reports the bytes of code and of tables.
func BenchmarkPredict(b *testing.B) {
	m, x := drawn(b, 32, 8)
	for name, batch := range map[string]int{"model/1-row": 1, "model/512-rows": len(x)} {
		b.Run(name, func(b *testing.B) {
			for n := 0; n < b.N; n += batch { // an operation is a row
				at := n % len(x)
				if _, err := m.Predict(x[at : at+batch]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	f := exporttest.FormOf(b, m)
	for _, level := range []string{"-O2", "-O3", "-Os"} {
		b.Run(level, func(b *testing.B) { timeC(b, f, export.Options{}, level) })
		b.Run("float"+level, func(b *testing.B) { timeC(b, f, export.Options{Float: true}, level, "-DREAL=float") })
	}
}

func timeC(b *testing.B, f *export.Form, o export.Options, flags ...string) {
	source := exporttest.Written(b, c.Write, f, o, "model.c")[0]
	dir := filepath.Dir(source)
	object := filepath.Join(dir, "model.o")
	run(b, exporttest.Tool(b, "gcc", "cc"), append(append(strict, flags...), "-c", "-o", object, source)...)
	program := compile(b, append(flags, "-I"+dir, "testdata/time.c", object)...)
	out, err := exec.CommandContext(b.Context(), program, strconv.Itoa(b.N)).Output()
	if err != nil {
		b.Fatal(err)
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(ns/float64(b.N), "ns/op")
	reportSizes(b, object)
}

// reportSizes reports the bytes of the sections of code and of constants.
func reportSizes(b *testing.B, object string) {
	out, err := exec.CommandContext(b.Context(), exporttest.Tool(b, "size"), "-A", object).Output()
	if err != nil {
		b.Fatal(err)
	}
	sums := map[string]float64{}
	for line := range bytes.Lines(out) {
		fields := strings.Fields(string(line))
		for section, name := range map[string]string{".text": "code-B", ".rodata": "tables-B", ".data.rel.ro": "tables-B"} {
			if len(fields) > 1 && strings.HasPrefix(fields[0], section) {
				n, err := strconv.ParseFloat(fields[1], 64)
				if err != nil {
					b.Fatal(err)
				}
				sums[name] += n
			}
		}
	}
	for name, n := range sums {
		b.ReportMetric(n, name)
	}
}
