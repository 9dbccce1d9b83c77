package model

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// benchmarkModel is a model of 32 rules over 9 features, and n samples, the size of the protein data.
func benchmarkModel(b *testing.B, shape membership.Function, n int) (*Model, *data.Dataset) {
	return benchmarkModelOf(b, shape, n, 9)
}

// benchmarkModelOf is a model of 32 rules over M features, and n samples.
func benchmarkModelOf(b *testing.B, shape membership.Function, n, M int) (*Model, *data.Dataset) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y, names := make([][]float64, n), make([]float64, n), make([]string, M)
	for m := range names {
		names[m] = fmt.Sprint("f", m+1)
	}
	for i := range x {
		x[i] = make([]float64, M)
		for m := range x[i] {
			x[i][m] = 100 + 10*rng.NormFloat64()
		}
		y[i] = x[i][0] + rng.NormFloat64()
	}
	d := testenv.Must(data.New(names, "y", x, y))
	p := testenv.Must(Fit(context.Background(), d))
	scaled := testenv.Must(p.Scale(x[:1000]))
	start := testenv.Must(rules.KMeans(b.Context(), rules.Samples{X: scaled, Y: p.Targets(d)[:1000]}, 32, rng))
	m := testenv.Must(New(context.Background(), p, rules.New(shape, start), x[:1000], nil, Training{}))
	return m, d
}

func BenchmarkPredict(b *testing.B) {
	for _, shape := range []membership.Function{membership.Gaussian{}, membership.Trapezoid{}} {
		b.Run(shape.Name(), func(b *testing.B) {
			m, d := benchmarkModel(b, shape, 45_730)
			benchmarkPredict(b, m, d)
		})
	}
	for _, knots := range []int{8, 32} {
		for name, own := range map[string]bool{"shared": false, "own": true} {
			b.Run(fmt.Sprintf("gaussian, %s curves of %d pieces", name, knots), func(b *testing.B) {
				m, d := benchmarkModel(b, membership.Gaussian{}, 45_730)
				x := testenv.Must(m.Scale(d.X))
				rules.AddCurves(m.RuleBase, testenv.Must(rules.SortColumns(context.Background(), x, nil)).Knots(knots), own)
				benchmarkPredict(b, m, d)
			})
		}
	}
}

// BenchmarkPredictShapes predicts 20 features with each shape, and with a transform of each feature.
func BenchmarkPredictShapes(b *testing.B) {
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		b.Run(name, func(b *testing.B) {
			m, d := benchmarkModelOf(b, shape, 4096, 20)
			benchmarkPredict(b, m, d)
		})
	}
	b.Run("gaussian, transformed", func(b *testing.B) {
		m, d := benchmarkModelOf(b, membership.Gaussian{}, 4096, 20)
		for i := range m.Features {
			m.Features[i].Power = &Power{Lambda: 0.5, Mean: -0.1, SD: 0.9}
		}
		benchmarkPredict(b, m, d)
	})
}

// BenchmarkPredictPage predicts 20 features by pages of a few rules and, with factors, of 240.
func BenchmarkPredictPage(b *testing.B) {
	_, d := benchmarkModelOf(b, membership.Gaussian{}, 4096, 20)
	p := testenv.Must(Fit(b.Context(), d))
	const text = ` of the tables.
Rule 1 IF f1 is at most 100, from 95 to 105 in proportion THEN about 10 at f2 100, without the tables + 0.1 per f2
Rule 2 IF f1 is above 100, from 95 to 105 in proportion, at most 110 THEN about 20, without the tables
Rule 3 IF f1 is above 110 AND f3 is at most 100 THEN about 22, without the tables
Rule 4 IF f1 is above 110 AND f3 is above 100 THEN about 25, without the tables
Table f4 (between entries in proportion) 80: x0.8, 90: x1.1, 100: x0.9, 120: x1.3
Table f5 (between entries in proportion) 80: x0.8, 90: x1.1, 100: x0.9, 110: x1, 120: x1.3
Table f6 (between entries in proportion) 80: x0.8, 100: x1.1, 120: x0.9
In formulas and tables, f2 counts as at least 80 and at most 120.`
	for name, how := range map[string]string{"summands": "plus the entries", "factors": "times the factors"} {
		of := "y is the value of the one rule whose IF holds, or of several in proportion, " + how + text
		if name == "summands" {
			of = strings.ReplaceAll(of, ": x", ": +")
		}
		b.Run(name, func(b *testing.B) { benchmarkPredict(b, pageModel(b, d, p, testenv.Must(page.Parse(of))), d) })
	}
}

func benchmarkPredict(b *testing.B, m *Model, d *data.Dataset) {
	b.ReportAllocs()
	for b.Loop() {
		testenv.Must(m.Predict(d.X))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d.Len()), "ns/row")
}

// BenchmarkPredictTable measures throughput in bytes of the input table.
func BenchmarkPredictTable(b *testing.B) {
	m, d := benchmarkModel(b, membership.Gaussian{}, 45_730)
	var table bytes.Buffer
	table.WriteString("f1,f2,f3,f4,f5,f6,f7,f8,f9\n")
	for _, row := range d.X {
		for i, v := range row {
			if i > 0 {
				table.WriteByte(',')
			}
			table.WriteString(strconv.FormatFloat(v, 'g', 7, 64))
		}
		table.WriteByte('\n')
	}
	b.SetBytes(int64(table.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.PredictTable(b.Context(), data.Input{Name: "t.csv", Reader: bytes.NewReader(table.Bytes())}, TableOptions{},
			io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
