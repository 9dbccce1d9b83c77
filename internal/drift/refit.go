package drift

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

const (
	folds     = 5
	mostSlope = 200 // inputs up to which slopes are refitted
)

// ridges are the penalties of squared slopes that a refit chooses among; an infinite one leaves them as they are.
var ridges = []float64{math.Inf(1), 100, 10}

// ErrRefit is wrapped by the errors of NewRefit about models that it cannot refit.
var ErrRefit = errors.New("a refit is for models of rules with one target of numbers")

// Refit is what fitting the THEN parts of a model to new rows, its conditions kept, would change. Errors are root mean squares in the unit
// of the target, of rows that the fit did not see.
type Refit struct {
	Rows   int         `json:"rows"`
	Slopes bool        `json:"slopes"` // slopes are fitted, too, and not only the level of each rule
	Before float64     `json:"rmse_before"`
	After  float64     `json:"rmse_after"` // Before, if no fit is better by 2% or more
	Rules  []RefitRule `json:"rules"`      // that would change, whose error falls by 2% or more

	unit string
}

// RefitRule is a rule that a refit would change.
type RefitRule struct {
	Rule   int     `json:"rule"` // from 1
	Rows   int     `json:"rows"`
	Shift  float64 `json:"shift"` // of the mean of its predictions
	Before float64 `json:"rmse_before"`
	After  float64 `json:"rmse_after"`
}

// NewRefit fits a linear correction of each rule to the residuals of the rows that it decides, by least squares with a penalty on slopes of
// scaled inputs, chosen by cross-validation of five parts, which are consecutive where the rows are in time order.
func NewRefit(ctx context.Context, m *model.Model, d *data.Dataset, seed uint64) (*Refit, error) {
	if m.Committee() || m.OutputCount() > 1 || m.Schema.Classes != nil {
		return nil, ErrRefit
	}
	r, err := newRefitting(m, d)
	if err != nil {
		return nil, err
	}
	parts, err := d.Folds(folds, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return nil, &data.Error{Message: fmt.Sprintf("a refit divides the rows into %d parts: give more different ones", folds), Err: err}
	}
	made := &Refit{unit: m.Schema.TargetUnit}
	var best []float64
	for _, ridge := range ridges {
		if len(r.z[0]) > mostSlope && !math.IsInf(ridge, 1) {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		left := make([]float64, d.Len())
		for n := range left {
			left[n] = math.NaN()
		}
		for _, p := range parts {
			of := r.fit(p.Train, ridge)
			for _, n := range p.Held {
				left[n] = r.residual[n] - of.at(r, n)
			}
		}
		before, after, rows := r.errors(left, -1)
		if best == nil || after < made.After {
			best, made.After, made.Slopes = left, after, !math.IsInf(ridge, 1)
		}
		made.Before, made.Rows = before, rows
	}
	if made.After > 0.98*made.Before {
		made.After, made.Slopes = made.Before, false
		return made, nil
	}
	for k := range r.rules {
		if before, after, rows := r.errors(best, k); rows > 0 && after < 0.98*before {
			made.Rules = append(made.Rules, RefitRule{k + 1, rows, r.mean(k), before, after})
		}
	}
	return made, nil
}

// refitting are rows with the residuals, targets minus predictions, and the rules that decide them.
type refitting struct {
	z        [][]float64
	residual []float64
	rule     []int
	rules    int
}

func newRefitting(m *model.Model, d *data.Dataset) (*refitting, error) {
	lenient := *d
	lenient.Missing.Policy = "mean"
	filled := m.Fill(&lenient)
	p, err := m.Predict(filled.X)
	if err != nil {
		return nil, err
	}
	r := &refitting{rules: model.CountRules(m)}
	for n, y := range d.Y {
		r.residual = append(r.residual, y-p.Values[n])
	}
	decides, err := m.Decides(filled.X)
	if err != nil {
		return nil, err
	}
	r.rule = decides[0]
	r.z, err = m.Scale(filled.X)
	return r, err
}

// errors returns the root mean square of residuals and of what is left of them, of the rows of a rule or, for -1, of all.
func (r *refitting) errors(left []float64, rule int) (before, after float64, rows int) {
	for n, e := range left {
		if !math.IsNaN(e) && (rule < 0 || r.rule[n] == rule) {
			before += float64(r.residual[n] * r.residual[n])
			after += float64(e * e)
			rows++
		}
	}
	return math.Sqrt(before / float64(rows)), math.Sqrt(after / float64(rows)), rows
}

// mean returns the mean residual of a rule.
func (r *refitting) mean(rule int) float64 {
	var t totals
	for n, e := range r.residual {
		if r.rule[n] == rule {
			t.add(e)
		}
	}
	return t.mean
}

// correction of a rule is its level at the mean of its inputs, and slopes.
type correction struct {
	level        float64
	mean, slopes []float64
}

type corrections []correction

// at returns the correction of a row.
func (c corrections) at(r *refitting, n int) float64 {
	k := r.rule[n]
	if k < 0 {
		return 0
	}
	v := c[k].level
	for i, s := range c[k].slopes {
		v += float64(s * (r.z[n][i] - c[k].mean[i]))
	}
	return v
}

// fit fits the corrections to some rows.
func (r *refitting) fit(rows []int, ridge float64) corrections {
	all := make(corrections, r.rules)
	for k := range all {
		var of []int
		for _, n := range rows {
			if r.rule[n] == k {
				of = append(of, n)
			}
		}
		all[k] = r.fitRule(of, ridge)
	}
	return all
}

func (r *refitting) fitRule(rows []int, ridge float64) (c correction) {
	if len(rows) < least {
		return c
	}
	M, share := len(r.z[0]), 1/float64(len(rows))
	c.mean = make([]float64, M)
	for _, n := range rows {
		c.level += float64(share * r.residual[n])
		for i, v := range r.z[n] {
			c.mean[i] += float64(share * v)
		}
	}
	if math.IsInf(ridge, 1) {
		return c
	}
	gram, right := mat.NewSymDense(M, nil), mat.NewVecDense(M, nil)
	z := mat.NewVecDense(M, nil)
	for _, n := range rows {
		for i, v := range r.z[n] {
			z.SetVec(i, v-c.mean[i])
		}
		gram.SymRankOne(gram, 1, z)
		right.AddScaledVec(right, r.residual[n]-c.level, z)
	}
	for i := range M {
		gram.SetSym(i, i, gram.At(i, i)+ridge)
	}
	var chol mat.Cholesky
	solved := mat.NewVecDense(M, nil)
	if chol.Factorize(gram) && chol.SolveVecTo(solved, right) == nil {
		c.slopes = solved.RawVector().Data
	}
	return c
}

// String says in words what a refit would change.
func (r *Refit) String() string {
	unit := ""
	if r.unit != "" {
		unit = " " + plain(r.unit)
	}
	if len(r.Rules) == 0 {
		return fmt.Sprintf("Refit: fitting the THEN parts to these %s would change no rule: the RMSE of %s%s would not fall by 2%% "+
			"(cross-validation).", numeric.Counted(r.Rows, "row"), show(r.Before), unit)
	}
	what := "the level of each rule"
	if r.Slopes {
		what = "the level and the slopes of each rule"
	}
	lines := []string{fmt.Sprintf("Refit: fitting %s to these %s would lower the RMSE from %s to %s%s (cross-validation):", what,
		numeric.Counted(r.Rows, "row"), show(r.Before), show(r.After), unit)}
	for _, k := range r.Rules {
		lines = append(lines, fmt.Sprintf("  - rule %d: %s to %s, its mean moves by %s%s (%s)", k.Rule, show(k.Before), show(k.After),
			numeric.Show(k.Shift, 3), unit, numeric.Counted(k.Rows, "row")))
	}
	return strings.Join(append(lines, "Train again with these rows to have it."), "\n")
}
