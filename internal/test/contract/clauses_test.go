// Package contract_test checks the guarantees of every estimator of the module, like
// scikit-learn's check_estimator: each named check takes an [Estimator] and ends with a
// violation if the clause does not hold.
//
//	for _, c := range Checks {
//		if err := c.Run(estimator); err != nil { ... }
//	}
//
// The tests of this package run the checks on every shape, engine and initialiser, and on
// estimators that each violate one clause and must be caught.
package contract_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Estimator is a training method with all settings fixed except the data and the number of
// rules.
type Estimator struct {
	// Fit trains a model of that many rules, 0 for the estimator's default, on a table. It
	// must not keep a reference to the table.
	Fit func(d *data.Dataset, rules int) (Model, error)

	// Untrained returns models that are untrained or incomplete.
	Untrained func() []Model

	// Wide reports whether Fit accepts any number of features. Other estimators may refuse
	// a table with too many.
	Wide bool
}

// Model is a trained model, such as a *model.Model.
type Model interface {
	Predict(x [][]float64) (model.Predictions, error)
	PredictTable(ctx context.Context, table data.Input, o model.TableOptions, w io.Writer) (model.TableCounts, error)
	Encode(w io.Writer) error
}

// Check is a clause of the contract.
type Check struct {
	Name string

	// Alone reports whether the check changes global state, so that nothing may run
	// concurrently.
	Alone bool

	// Slow reports whether the check takes about a second.
	Slow bool

	holds func(e Estimator)
}

// violation is what a check panics with if its clause does not hold.
type violation struct{ error }

// Run returns an error if the estimator violates the clause, or panics in the caller's
// goroutine.
func (c Check) Run(e Estimator) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case violation:
			err = r.error
		default:
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	c.holds(e)
	return nil
}

// require ends a check unless a condition holds.
func require(holds bool, format string, a ...any) {
	if !holds {
		panic(violation{fmt.Errorf(format, a...)})
	}
}

// must returns a result, or ends a check with its error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(violation{err})
	}
	return v
}

// mayDecline runs a part of a check that an estimator may decline with an error about one of these keys.
func mayDecline(part func(), keys ...string) {
	mayFail(part, func(err error) bool {
		var option *tskgraph.RecipeError
		return errors.As(err, &option) && slices.Contains(keys, option.Key)
	})
}

// mayExceedPages runs a part of a check with numbers that may be beyond those of a page.
func mayExceedPages(part func()) {
	mayFail(part, func(err error) bool {
		return errors.As(err, new(*data.Error)) && strings.Contains(err.Error(), "the largest of a page")
	})
}

// mayFail runs a part of a check that may fail with some errors.
func mayFail(part func(), with func(error) bool) {
	defer func() {
		r := recover()
		if v, ok := r.(violation); r != nil && !(ok && with(v.error)) {
			panic(r)
		}
	}()
	part()
}

// Checks are the clauses of the contract.
var Checks = []Check{
	{Name: "Learns", holds: Learns},
	{Name: "FitIsIdempotent", holds: FitIsIdempotent},
	{Name: "WorkersChangeNothing", holds: WorkersChangeNothing, Alone: true},
	{Name: "FitLeavesItsInputs", holds: FitLeavesItsInputs},
	{Name: "UnitWeightsChangeNothing", holds: UnitWeightsChangeNothing},
	{Name: "ZeroWeightsLeaveNoTrace", holds: ZeroWeightsLeaveNoTrace},
	{Name: "WeightsHaveNoUnit", holds: WeightsHaveNoUnit},
	{Name: "WeightsAreRepetitions", holds: WeightsAreRepetitions},

	{Name: "RowsArePredictedAlone", holds: RowsArePredictedAlone},
	{Name: "ColumnsGoByName", holds: ColumnsGoByName},
	{Name: "PredictLeavesItsInputs", holds: PredictLeavesItsInputs},
	{Name: "PredictsSideBySide", holds: PredictsSideBySide},
	{Name: "FilePredictsTheSame", holds: FilePredictsTheSame},
	{Name: "UntrainedIsRefused", holds: UntrainedIsRefused},

	{Name: "OneSample", holds: OneSample},
	{Name: "OneFeature", holds: OneFeature},
	{Name: "OneRule", holds: OneRule},
	{Name: "MoreRulesThanSamples", holds: MoreRulesThanSamples},
	{Name: "NoSamples", holds: NoSamples},
	{Name: "ConstantTarget", holds: ConstantTarget},
	{Name: "ConstantFeature", holds: ConstantFeature},
	{Name: "DuplicateRows", holds: DuplicateRows},
	{Name: "CollinearFeatures", holds: CollinearFeatures},

	{Name: "ScaleOfFeatures", holds: ScaleOfFeatures},
	{Name: "ScaleOfTarget", holds: ScaleOfTarget},
	{Name: "NotFiniteIsRefused", holds: NotFiniteIsRefused},
	{Name: "WrongWidthIsRefused", holds: WrongWidthIsRefused},
	{Name: "TenThousandFeatures", holds: TenThousandFeatures, Slow: true},
}

// samples is the number of rows that most checks train on.
const samples = 48

// table returns n samples of three features with y = sin(2a) + b + c/2 and a little
// noise. Calls with the same n return separate copies of the same table.
func table(n int) *data.Dataset {
	return made([]string{"a", "b", "c"}, n, func(x []float64) float64 { return math.Sin(2*x[0]) + x[1] + x[2]/2 })
}

// made returns n samples of standard normal features and of y, with a little noise.
func made(names []string, n int, y func(x []float64) float64) *data.Dataset {
	rng := rand.New(rand.NewPCG(20, 26))
	rows, targets := make([][]float64, n), make([]float64, n)
	for i := range rows {
		rows[i] = make([]float64, len(names))
		for m := range rows[i] {
			rows[i][m] = rng.NormFloat64()
		}
		targets[i] = y(rows[i]) + 0.01*rng.NormFloat64()
	}
	return must(data.New(names, "y", rows, targets))
}

// changed returns the table of most checks after a change of its rows and targets.
func changed(change func(x []float64, y *float64, i int)) *data.Dataset {
	d := table(samples)
	for i := range d.X {
		change(d.X[i], &d.Y[i], i)
	}
	return d
}

// values returns the predictions for x, a finite one per row.
func values(m Model, x [][]float64) []float64 {
	p := must(m.Predict(x))
	require(len(p.Values) == len(x), "%d predictions for %d samples", len(p.Values), len(x))
	for i, v := range p.Values {
		require(!math.IsNaN(v) && !math.IsInf(v, 0), "sample %d: the prediction is %v", i, v)
	}
	return p.Values
}

// learned trains a model and returns its predictions for the table.
func learned(e Estimator, d *data.Dataset, rules int) []float64 {
	m, err := e.Fit(d, rules)
	require(err == nil, "training: %w", err)
	return values(m, d.X)
}

// same checks that predictions are equal bit for bit; when says what may have changed them.
func same(got, want []float64, when string, a ...any) {
	for i, v := range want {
		require(math.Float64bits(got[i]) == math.Float64bits(v), "%ssample %d: predicted %v, before %v", fmt.Sprintf(when, a...), i, got[i], v)
	}
}

// file returns the encoded model.
func file(m Model) string {
	var b bytes.Buffer
	err := m.Encode(&b)
	require(err == nil, "encoding: %w", err)
	return b.String()
}

// fitted trains a model and returns its file.
func fitted(e Estimator, d *data.Dataset) string { return file(must(e.Fit(d, 0))) }

// refused checks that training is refused with a data error that says so.
func refused(e Estimator, d *data.Dataset, says, format string, a ...any) {
	_, err := e.Fit(d, 0)
	require(errors.As(err, new(*data.Error)) && strings.Contains(err.Error(), says), "%s: want a data error%s, got: %v",
		fmt.Sprintf(format, a...), says, err)
}

// scatter returns the root mean squared difference of two columns.
func scatter(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum = math.Hypot(sum, a[i]-b[i])
	}
	return sum / math.Sqrt(float64(len(a)))
}
