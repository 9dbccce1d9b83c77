package contract_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// TestWrongEstimatorsAreCaught checks that every check catches an estimator that violates
// its clause, and passes the sound estimator that it is made from.
func TestWrongEstimatorsAreCaught(t *testing.T) {
	sound := trained(quick(tskgraph.Robust()))
	for _, c := range Checks {
		t.Run(c.Name, func(t *testing.T) {
			if c.Slow && testenv.Race {
				t.Skip("slow")
			}
			if err := c.Run(sound); err != nil {
				t.Errorf("the sound estimator: %v", err)
			}
			w, ok := wrong[c.Name]
			if !ok {
				t.Fatal("no wrong estimator for this check")
			}
			if err := c.Run(w.estimator(sound)); err == nil || !strings.Contains(err.Error(), w.caught) {
				t.Errorf("the wrong one: %v, want %q", err, w.caught)
			}
		})
	}
	if len(wrong) != len(Checks) {
		t.Errorf("%d wrong estimators for %d checks", len(wrong), len(Checks))
	}
}

// wrong are estimators that violate a clause, by the check that must catch them, with a
// part of its error.
var wrong = map[string]struct {
	estimator func(e Estimator) Estimator
	caught    string
}{
	"Learns": {predicting(func(p *model.Predictions, _ [][]float64) {
		for i := range p.Values {
			p.Values[i] = 0
		}
	}), "that of the mean"},
	"FitIsIdempotent": {func(e Estimator) Estimator {
		seen := 0 // keeps state between calls
		return fitting(func(e Estimator, d *data.Dataset, rules int) (Model, error) {
			seen += d.Len()
			if seen > 2*d.Len() {
				d.Y[0]++
			}
			return e.Fit(d, rules)
		})(e)
	}, "after training on other data"},
	"WorkersChangeNothing": {predicting(func(p *model.Predictions, _ [][]float64) {
		p.Values[7] += float64(runtime.GOMAXPROCS(0))
	}), "on 7 processors: sample 7"},
	"FitLeavesItsInputs": {fitting(func(e Estimator, d *data.Dataset, rules int) (Model, error) {
		m, err := e.Fit(d, rules)
		slices.Sort(d.Y)
		return m, err
	}), "training changed the table"},
	"UnitWeightsChangeNothing": {editing(func(d *data.Dataset) {
		for i := range d.Weights {
			d.Y[i] *= 1 + d.Weights[i]
		}
	}), "predicted"},
	"ZeroWeightsLeaveNoTrace": {weighing(func(w float64) float64 { return max(w, 1e-9) }), "rows of weight zero"},
	"WeightsHaveNoUnit":       {weighing(func(w float64) float64 { return w + 0.1 }), "the factor 0.01"},
	"WeightsAreRepetitions":   {weighing(func(w float64) float64 { return w * w }), "means by weights"},

	"RowsArePredictedAlone": {predicting(func(p *model.Predictions, x [][]float64) {
		for i := range p.Values {
			p.Values[i] += x[0][0] // standardised by the first sample
		}
	}), "in reverse order"},
	"ColumnsGoByName": {spoiled(func(m Model) Model { return positional{m} }), "predicted"},
	"PredictLeavesItsInputs": {predicting(func(_ *model.Predictions, x [][]float64) {
		x[3][0] -= 1
	}), "changed its samples"},
	"PredictsSideBySide": {spoiled(func(m Model) Model {
		return &shared{Model: m, together: make(chan struct{})}
	}), "predicted"},
	"FilePredictsTheSame": {predicting(func(p *model.Predictions, _ [][]float64) { p.Values[5] += 1e-12 }), "sample 5"},
	"UntrainedIsRefused": {func(e Estimator) Estimator {
		e.Untrained = func() []Model { return []Model{careless{}} }
		return e
	}, "nil pointer"},

	"OneSample": {fitting(func(e Estimator, d *data.Dataset, rules int) (Model, error) {
		if d.Len() == 1 {
			return nil, errors.New("singular matrix")
		}
		return e.Fit(d, rules)
	}), "got: singular matrix"},
	"OneFeature": {refusing(func(d *data.Dataset, _ int) bool { return len(d.X[0]) == 1 }), "training"},
	"OneRule":    {refusing(func(_ *data.Dataset, rules int) bool { return rules == 1 }), "training"},
	"MoreRulesThanSamples": {fitting(func(e Estimator, d *data.Dataset, rules int) (Model, error) {
		_ = d.X[rules-1] // uses the first rows as centers
		return e.Fit(d, rules)
	}), "index out of range"},
	"NoSamples": {predicting(func(_ *model.Predictions, x [][]float64) { _ = x[0] }), "index out of range"},
	"ConstantTarget": {predicting(func(p *model.Predictions, _ [][]float64) {
		p.Values[9] += 1e-9 // has no effect at -7e150
	}), "target 0: sample 9"},
	"ConstantFeature": {predicting(func(p *model.Predictions, x [][]float64) {
		for i, row := range x {
			p.Values[i] += row[len(row)-1]
		}
	}), "that was 5 in training"},
	"DuplicateRows": {predicting(func(p *model.Predictions, _ [][]float64) { p.Values[4] += 1e-9 }), "sample 4"},
	"CollinearFeatures": {predicting(func(p *model.Predictions, x [][]float64) {
		p.Values[0] /= x[0][1] + 2*x[0][2] // a determinant
	}), "sample 0: the prediction is"},

	"ScaleOfFeatures": {editing(func(d *data.Dataset) {
		for _, row := range d.X {
			for m, v := range row {
				row[m] = v + math.Copysign(1e-9, v) // against division by zero
			}
		}
	}), "predicted"},
	"ScaleOfTarget": {predicting(func(p *model.Predictions, _ [][]float64) {
		for i, v := range p.Values {
			p.Values[i] = math.Copysign(math.Sqrt(v*v), v)
		}
	}), "target times 1e+300: sample"},
	"NotFiniteIsRefused": {editing(func(d *data.Dataset) {
		for _, row := range d.X {
			if math.IsNaN(row[1]) {
				row[1] = 0
			}
		}
	}), "training with a feature of NaN"},
	"WrongWidthIsRefused": {spoiled(func(m Model) Model { return padding{m} }), "predicting 0 of 3 features"},
	"TenThousandFeatures": {predicting(func(p *model.Predictions, x [][]float64) { p.Uncovered = len(x) }), "without an error"},
}

// fitting returns a change of an estimator that replaces Fit.
func fitting(fit func(e Estimator, d *data.Dataset, rules int) (Model, error)) func(Estimator) Estimator {
	return func(e Estimator) Estimator {
		broken := e
		broken.Fit = func(d *data.Dataset, rules int) (Model, error) { return fit(e, d, rules) }
		return broken
	}
}

// editing returns a change of an estimator that trains on changed copies of its tables.
func editing(change func(d *data.Dataset)) func(Estimator) Estimator {
	return fitting(func(e Estimator, d *data.Dataset, rules int) (Model, error) {
		d = d.Subset(rowsOf(d.Len()))
		change(d)
		return e.Fit(d, rules)
	})
}

// weighing returns a change of an estimator that changes the weights.
func weighing(change func(w float64) float64) func(Estimator) Estimator {
	return editing(func(d *data.Dataset) {
		for i, w := range d.Weights {
			d.Weights[i] = change(w)
		}
	})
}

// refusing returns a change of an estimator that refuses some data with an unhelpful error.
func refusing(bad func(d *data.Dataset, rules int) bool) func(Estimator) Estimator {
	return fitting(func(e Estimator, d *data.Dataset, rules int) (Model, error) {
		if bad(d, rules) {
			return nil, errors.New("impossible")
		}
		return e.Fit(d, rules)
	})
}

// changed returns a change of an estimator that replaces the trained model.
func spoiled(change func(m Model) Model) func(Estimator) Estimator {
	return fitting(func(e Estimator, d *data.Dataset, rules int) (Model, error) {
		m, err := e.Fit(d, rules)
		if err != nil {
			return nil, err
		}
		return change(m), nil
	})
}

// predicting returns a change of an estimator that changes the predictions.
func predicting(change func(p *model.Predictions, x [][]float64)) func(Estimator) Estimator {
	return spoiled(func(m Model) Model { return predictor{m, change} })
}

type predictor struct {
	Model
	change func(p *model.Predictions, x [][]float64)
}

func (m predictor) Predict(x [][]float64) (model.Predictions, error) {
	p, err := m.Model.Predict(x)
	if err == nil {
		m.change(&p, x)
	}
	return p, err
}

// positional reads tables by position, with the features first, and ignores the header.
type positional struct{ Model }

func (m positional) PredictTable(ctx context.Context, table data.Input, o model.TableOptions, w io.Writer) (model.TableCounts, error) {
	in := bufio.NewReader(table.Reader)
	if _, err := in.ReadString('\n'); err != nil {
		return model.TableCounts{}, err
	}
	table.Reader = io.MultiReader(strings.NewReader("a,note,b,y,c\n"), in)
	return m.Model.PredictTable(ctx, table, o, w)
}

// shared has one buffer for all its samples. Its second call waits for the third, so that
// they use it at the same time.
type shared struct {
	Model
	mu       sync.Mutex
	buffer   [][]float64
	calls    int
	together chan struct{}
}

func (m *shared) Predict(x [][]float64) (model.Predictions, error) {
	m.mu.Lock()
	m.buffer = x
	m.calls++
	call := m.calls
	m.mu.Unlock()
	switch call {
	case 2:
		select {
		case <-m.together:
		case <-time.After(10 * time.Second):
		}
	case 3:
		close(m.together)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Model.Predict(m.buffer)
}

// padding pads short samples with zeros.
type padding struct{ Model }

func (m padding) Predict(x [][]float64) (model.Predictions, error) {
	x = slices.Clone(x)
	for i, row := range x {
		x[i] = append(slices.Clone(row), make([]float64, max(0, 3-len(row)))...)
	}
	return m.Model.Predict(x)
}

// careless has no rules and does not check it.
type careless struct{ Model }

func (m careless) Predict(x [][]float64) (model.Predictions, error) {
	var none *model.Model
	return model.Predictions{Values: make([]float64, len(none.Features))}, nil
}

func rowsOf(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// TestPanicsAreErrors checks that a panic of a check is an error.
func TestPanicsAreErrors(t *testing.T) {
	e := Estimator{Fit: func(*data.Dataset, int) (Model, error) { panic("oh") }}
	for _, c := range Checks {
		if c.Name == "UntrainedIsRefused" {
			continue // it does not call Fit
		}
		if err := c.Run(e); err == nil || !strings.Contains(err.Error(), "oh") {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}
