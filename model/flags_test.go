package model

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// flagged is a table to fit flags to: numbers with limits, words, words with an order, numbers that may be missing, and one column that is
// constant.
const flagged = "size;sex;grade;age;same;y\n1;F;low;2;7;1\n3;M;high;;7;2\n2;F;mid;9;7;3\n9999;M;low;4;7;2\n5;F;high;4;7;4\n"

// TestFlags checks the flags of each kind of cell, and that those of the training range are of the samples that Predictions counts.
func TestFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.csv")
	testenv.OK(t, os.WriteFile(path, []byte(flagged), 0o600))
	for _, missing := range []string{"own", "mean"} {
		p := testenv.Must(Fit(context.Background(), testenv.Must(data.Read(path, data.Options{
			Target: "y", Missing: missing, Limits: map[string]*data.Limits{"size": table.NewLimits(0, 100)},
			Categorical: map[string]data.Coding{"sex": {Encoding: data.OneHot},
				"grade": table.NewCoding([]string{"low", "mid", "high", "top"}, true)},
		}))))
		for row, want := range map[string]string{
			"2;F;low;4":              "",
			"2,5;F;low;4":            "",
			"100;F;low;4":            "",
			"433014;F;low;4":         "limited: size 433014",
			"-0,5;F;low;4":           "outside: size -0,5", // counts as 0, which no training row reaches
			"0.5;F;low;4":            "outside: size 0.5",
			" ?;;NA;":                "missing: size; missing: sex; missing: grade; missing: age",
			"2;X;best;4":             "unknown: sex X; unknown: grade best",
			"2;M;top;10":             "outside: grade top; outside: age 10",
			"2;\"a\nb\";low;4":       `unknown: sex a\nb`,
			"2;\"a; limited\";low;4": `unknown: sex "a; limited"`,
			"2;" + strings.Repeat("é", 40) + ";low;4":   "unknown: sex " + strings.Repeat("é", 40),
			"2;" + strings.Repeat("é", 9999) + ";low;4": `unknown: sex "` + strings.Repeat("é", 40) + `"...`,
		} {
			in := testenv.Must(data.NewReader(data.Input{Name: "row", Reader: strings.NewReader("size;sex;grade;age\n" + row + "\n")}, p.Schema,
				data.ReaderOptions{Lenient: true}))
			var b data.Batch
			testenv.OK(t, in.Next(&b))
			testenv.OK(t, b.Parse())
			flags := p.Flags(b.X[0], func(column int) string { return b.Cell(0, column) })
			testenv.Equal(t, flagText(flags), want, row)
			p.fill(b.X)
			testenv.Equal(t, p.outOfRange(b.X[0]), strings.Contains(want, flagOutside), row)
			testenv.Equal(t, in.Next(&b), io.EOF, row)
		}
	}
}

// TestFlagsOfPredictions checks the column of flags of a table, with those of the predictions.
func TestFlagsOfPredictions(t *testing.T) {
	m := smallTrapezoid()
	m.Target.High = numeric.OrNil(6)
	got := testenv.Must(predictText(m, "a,note\n10,x\n15,\"y\nz\"\n,x\n19,x\n", TableOptions{Flags: true}))
	testenv.Equal(t, got, "a,note,y_predicted,y_flags\n10,x,6,\n15,\"y\nz\",5,outside: a 15; uncovered\n,x,6,missing: a\n"+
		"19,x,6,outside: a 19; limited\n")
}

// An indicator of missing numbers is used where a target depends on it beyond chance, of numbers and of classes.
func TestDropChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, classes := range [][]string{nil, {"no", "yes"}} {
		d := &data.Dataset{Missing: data.Missing{Policy: "mean"}, Schema: data.Schema{Target: "y", Classes: classes, Columns: []data.Column{
			{Name: "random", Encoding: data.Numeric, Missing: true}, {Name: "telling", Encoding: data.Numeric, Missing: true},
			{Name: "once", Encoding: data.Numeric, Missing: true}}}}
		for i := range 400 {
			y := 1e6 + rng.NormFloat64()
			if classes != nil {
				y = float64(rng.IntN(2))
			}
			row := []float64{rng.NormFloat64(), 0, rng.NormFloat64(), 0, rng.NormFloat64(), 0}
			if i == 7 {
				row[4], row[5] = math.NaN(), 1
			}
			if rng.IntN(3) == 0 {
				row[0], row[1] = math.NaN(), 1
			}
			if rng.IntN(4) == 0 == (y == 1 || y > 1e6+0.3) {
				row[2], row[3] = math.NaN(), 1
			}
			d.X, d.Y = append(d.X, row), append(d.Y, y)
		}
		p := testenv.Must(Fit(context.Background(), d))
		for m, unused := range []bool{false, true, false, false, false, true} {
			testenv.Equal(t, p.Features[m].Constant, unused, p.Features[m].Name)
		}
		testenv.Equal(t, len(p.Dropped()), 0, "features that are said to be constant")
		p.ImputeMeans = false
		testenv.FailsWith(t, CheckPreprocessing(p), "must be mean")
	}
}
