// Package contract says what can be relied on of everything here that learns, as
// scikit-learn's check_estimator does: named checks, which take an [Estimator] and
// return what is wrong with it.
//
//	for _, c := range contract.Checks {
//		if err := c.Run(estimator); err != nil { ... }
//	}
//
// The tests of this package run every check on every shape, engine and initialiser,
// and on estimators of which each breaks one clause and must be caught.
package contract

import (
	"context"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Estimator is a way of learning with everything settled but the data and the number
// of rules.
type Estimator struct {
	// Fit learns from a table with so many rules; 0: as many as it has of its own
	// accord. It keeps nothing of the table.
	Fit func(d *data.Dataset, rules int) (Model, error)

	// Untrained returns models that were never fitted, or of which something is missing.
	Untrained func() []Model

	// Wide says that it learns however many features there are. Others may decline a
	// table for having too many.
	Wide bool
}

// Model is what an estimator has learned; a *model.Model is one.
type Model interface {
	Predict(x [][]float64) (model.Predictions, error)
	PredictTable(ctx context.Context, table data.Input, o model.TableOptions, w io.Writer) (model.TableCounts, error)
	Encode(w io.Writer) error
}

// Check is a clause of the contract.
type Check struct {
	Name string

	// Alone says that the check changes what the whole process sees, so that nothing
	// may run beside it.
	Alone bool

	// Slow says that it takes a second or so.
	Slow bool

	holds func(e Estimator) error
}

// Run returns what is wrong with the estimator; nil if it keeps the clause. A panic
// in the caller's goroutine is such an error.
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
