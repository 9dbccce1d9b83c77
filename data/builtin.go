package data

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// builtin is a data set of the literature; generated ones have the same values on every machine, up to the last digits.
type builtin struct {
	name     string
	doc      string // what it is, in a few words
	target   string
	classes  []string // of the target; nil: it is a number
	split    Split
	generate func() (names []string, x [][]float64, y []float64)
}

var builtins = []builtin{mackeyGlass, friedman1, sinc, iris}

// Builtins returns the names of the built-in data sets.
func Builtins() []string {
	names := make([]string, len(builtins))
	for i, b := range builtins {
		names[i] = b.name
	}
	return names
}

// Builtin makes a data set of the literature and returns it with its customary split; it is Ordered if that is
// chronological. An unknown name is an error.
func Builtin(name string) (*Dataset, Split, error) {
	b, err := findBuiltin(name)
	if err != nil {
		return nil, Split{}, err
	}
	names, x, y := b.generate()
	d, err := New(names, b.target, x, y)
	if err != nil {
		return nil, Split{}, err
	}
	d.Schema.Classes = slices.Clone(b.classes)
	d.Ordered = b.split.Kind == splitChronological
	return d, b.split, nil
}

// BuiltinDoc describes a built-in data set in a few words; empty for an unknown name.
func BuiltinDoc(name string) string {
	b, _ := findBuiltin(name)
	return b.doc
}

func findBuiltin(name string) (builtin, error) {
	for _, b := range builtins {
		if b.name == name {
			return b, nil
		}
	}
	known := Builtins()
	return builtin{}, table.KeyFault("data.builtin", "unknown data set %s%s (choose one of %s)", escape.Quote(name),
		registry.Hint(name, known), escape.List(known))
}

// validateTask checks that a task is that of a built-in data set.
func (b builtin) validateTask(task string) error {
	if err := (table.Options{Task: task}).ValidateTask(); err != nil || task == "" || task == table.TaskAuto {
		return err
	}
	if own := map[bool]string{true: table.TaskClassification, false: table.TaskRegression}[b.classes != nil]; task != own {
		return table.KeyFault("task", "%s: the built-in data %s are for %s", task, escape.Quote(b.name), own).RestingOn("data.builtin")
	}
	return nil
}

// friedman1 has ten inputs, uniform on [0,1], of which five matter, 1,000 rows and noise of standard deviation 1:
//
//	y = 10 sin(pi x1 x2) + 20 (x3 - 0.5)^2 + 10 x4 + 5 x5 + N(0,1)
//
// Customary split: at random, 70% for training. No model can have a test RMSE much below 1.
//
// J. H. Friedman, "Multivariate adaptive regression splines", The Annals of Statistics 19 (1991) 1-67, section 4.3.
var friedman1 = builtin{
	name:   "friedman1",
	doc:    "1,000 rows of a formula of five numbers, with noise and five more columns",
	target: "y",
	split:  Split{Kind: splitRandom, Train: 0.7},
	generate: func() ([]string, [][]float64, []float64) {
		const rows, inputs = 1000, 10
		random := rand.New(rand.NewPCG(1991, 1))
		names := make([]string, inputs)
		for m := range names {
			names[m] = fmt.Sprintf("x%d", m+1)
		}
		x := matrix(rows, inputs)
		y := make([]float64, rows)
		for i, v := range x {
			for m := range v {
				v[m] = random.Float64()
			}
			c := v[2] - 0.5
			y[i] = float64(10*numeric.Sin(math.Pi*v[0]*v[1])) + float64(20*c*c) + float64(10*v[3]) + float64(5*v[4]) + numeric.Normal(random)
		}
		return names, x, y
	},
}

// irisTable has a header, four lengths in cm and the species. The values are those of Fisher's paper, as in R and in
// scikit-learn (the copy of the UCI repository has two misprints); facts of 1936, in the public domain.
//
//go:embed iris.csv
var irisTable string

var irisSpecies = []string{"setosa", "versicolor", "virginica"}

// iris has four measurements of 150 flowers, 50 of each of three species, to tell the species. Customary split: at random,
// 70% for training.
//
// R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7 (1936) 179-188, table I.
var iris = builtin{
	name:    "iris",
	doc:     "three species of iris by the lengths and widths of petals and sepals: 150 flowers",
	target:  "species",
	classes: irisSpecies,
	split:   Split{Kind: splitRandom, Train: 0.7},
	generate: func() (names []string, x [][]float64, y []float64) {
		header, rows, _ := strings.Cut(irisTable, "\n")
		names = strings.Split(header, ",")[:4]
		for line := range strings.Lines(rows) {
			cells := strings.Split(strings.TrimSpace(line), ",")
			sample := make([]float64, len(names))
			for m := range sample {
				sample[m], _ = table.ParseNumber(cells[m]) // the table is part of the program
			}
			x, y = append(x, sample), append(y, float64(slices.Index(irisSpecies, cells[4])))
		}
		return names, x, y
	},
}

// mackeyGlass predicts the chaotic Mackey-Glass time series six steps ahead: inputs x(t-18), x(t-12), x(t-6) and
// x(t), target x(t+6), for t = 118..1117, 1,000 pairs. Customary split: the first half is for training, the second
// for test, as neighbours in time are nearly equal and a random split would leak.
//
//	dx/dt = 0.2 x(t-17) / (1 + x(t-17)^10) - 0.1 x(t),   x(0) = 1.2,   x(t) = 0 for t < 0
//
// M. C. Mackey and L. Glass, "Oscillation and chaos in physiological control systems", Science 197 (1977) 287-289;
// the task is that of J.-S. R. Jang, "ANFIS: adaptive-network-based fuzzy inference system", IEEE Transactions on
// Systems, Man, and Cybernetics 23 (1993) 665-685, example 3.
var mackeyGlass = builtin{
	name:   "mackey-glass",
	doc:    "a chaotic time series, predicted six steps ahead from four earlier values",
	target: "x(t+6)",
	split:  Split{Kind: splitChronological, Train: 0.5},
	generate: func() ([]string, [][]float64, []float64) {
		const first, pairs = 118, 1000
		series := mackeyGlassSeries(first + pairs + 6)
		x := matrix(pairs, 4)
		y := make([]float64, pairs)
		for i := range pairs {
			t := first + i
			for m, lag := range []int{18, 12, 6, 0} {
				x[i][m] = series[t-lag]
			}
			y[i] = series[t+6]
		}
		return []string{"x(t-18)", "x(t-12)", "x(t-6)", "x(t)"}, x, y
	},
}

// mackeyGlassSeries returns x(0), x(1), ..., x(n-1): fourth-order Runge-Kutta with step 0.1. The delayed value in
// the middle of a step is that of the cubic through the values and slopes at both ends of the earlier step; before
// t = 17 it is zero.
func mackeyGlassSeries(n int) []float64 {
	const (
		perUnit = 10 // steps
		h       = 1.0 / perUnit
		delay   = 17 * perUnit
	)
	slope := func(x, delayed float64) float64 {
		x2 := delayed * delayed
		x4 := x2 * x2
		return 0.2*delayed/(1+float64(x4*x4*x2)) - float64(0.1*x)
	}
	steps := n * perUnit
	x := make([]float64, steps+1)
	half := make([]float64, steps) // x in the middle of each step
	x[0] = 1.2
	for i := range steps {
		var start, middle, end float64 // x(t-17) over the step
		if j := i - delay; j >= 0 {
			start, middle, end = x[j], half[j], x[j+1]
		}
		k1 := slope(x[i], start)
		k2 := slope(x[i]+float64(h/2*k1), middle)
		k3 := slope(x[i]+float64(h/2*k2), middle)
		k4 := slope(x[i]+float64(h*k3), end)
		x[i+1] = x[i] + float64(h/6*(k1+float64(2*k2)+float64(2*k3)+k4))
		half[i] = float64((x[i]+x[i+1])/2) + float64(h/8*(k1-slope(x[i+1], end)))
	}
	series := make([]float64, n)
	for t := range series {
		series[t] = x[t*perUnit]
	}
	return series
}

// sinc is the two-input sinc without noise, on [-10,10] x [-10,10]:
//
//	z = sin(x)/x * sin(y)/y,   sin(0)/0 = 1
//
// 121 points of a regular grid, then 400 points drawn uniformly. Customary split: the grid is for training, the
// others for test.
//
// J.-S. R. Jang, "ANFIS: adaptive-network-based fuzzy inference system", IEEE Transactions on Systems, Man, and
// Cybernetics 23 (1993) 665-685, example 1; the points to test are ours, the paper has none.
var sinc = builtin{
	name:   "sinc",
	doc:    "a smooth surface over two numbers, without noise",
	target: "z",
	split:  Split{Kind: splitChronological, Train: float64(sincGrid) / (sincGrid + sincTest)},
	generate: func() ([]string, [][]float64, []float64) {
		random := rand.New(rand.NewPCG(1993, 1))
		x := matrix(sincGrid+sincTest, 2)
		y := make([]float64, len(x))
		for i, v := range x {
			if i < sincGrid {
				v[0], v[1] = float64(2*(i/11)-10), float64(2*(i%11)-10)
			} else {
				v[0], v[1] = float64(20*random.Float64())-10, float64(20*random.Float64())-10
			}
			y[i] = sinOver(v[0]) * sinOver(v[1])
		}
		return []string{"x", "y"}, x, y
	},
}

const (
	sincGrid = 11 * 11
	sincTest = 400
)

func sinOver(x float64) float64 {
	if x == 0 {
		return 1
	}
	return numeric.Sin(x) / x
}
