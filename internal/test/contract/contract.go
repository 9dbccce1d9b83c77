// Package contract checks the guarantees of every estimator of the module, like
// scikit-learn's check_estimator: each named check takes an [Estimator] and returns an
// error if it violates the clause.
//
//	for _, c := range contract.Checks {
//		if err := c.Run(estimator); err != nil { ... }
//	}
//
// The tests of this package run the checks on every shape, engine and initialiser, and on
// estimators that each violate one clause and must be caught.
package contract

import (
	"context"
	"fmt"
	"io"

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

	holds func(e Estimator) error
}

// Run returns an error if the estimator violates the clause, or panics in the caller's
// goroutine.
func (c Check) Run(e Estimator) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return c.holds(e)
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
