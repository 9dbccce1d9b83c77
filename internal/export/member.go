package export

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Member is a model of one rulebase. A prediction takes these steps:
//
//  1. The z-score of input i is z[i] = (feature - Mean) / SD, or Missing, limited to Low and High. If a feature is
//     infinite, or the absolute value of a z-score not below [Farthest], there is no prediction.
//  2. u[i] is the input of the IF parts: z[i], or its Power transform. With Components, u and z
//     are instead the K sums of Loadings[k][i] z[i].
//  3. The level of rule r is Join of Grade(u[m]; parameters) over its conditions, in order,
//     starting from Start; then, if there is a Weight, LogSpace: Weight(level), else
//     exp(Weight(log level)), or zero for a level below [LeastLevel].
//  4. In LogSpace, levels are logarithms: the largest is subtracted and exp taken. The sum of the
//     levels must exceed [MinFiring] and be finite, in LogSpace the largest logarithm be finite;
//     otherwise no rule covers the sample and its response is Uncovered.
//  5. Output c of rule r is Weights[c][0] + sum of Weights[c][m+1] z[m] + its curves; y[c] is the
//     mean over the rules by their levels. An output that is not finite gives Uncovered.
//  6. The response is that of Link: identity and ordered (which sorts y), Mean + Scale y; log,
//     Mean exp(min(y, loss.MaxLog)); logit, the probabilities 1/(1+e^y) and 1/(1+e^-y); softmax.
//     It is limited to Low and High, except probabilities.
//
// The response of a committee is the mean over its members, m = 0, then m = m + (v_k - m)/(k+1)
// for k = 0, 1, ...; of quantiles then at least that of the quantile before.
type Member struct {
	Inputs     []Input     // [M]
	Components [][]float64 // [K][M] loadings; nil: none

	Grade      *Program // membership grade, or in LogSpace its logarithm, of u and the parameters
	Join       *Program // of two levels
	Weight     *Program // logarithm of the weight by that of the level; nil: the weight is the level
	LogSpace   bool
	Shape      membership.Function // whose Grade is; for targets that have shapes of their own
	Parameters int                 // P of a membership function
	TNorm      string              // whose Join is
	Defuzz     string              // whose Weight is

	Rules   []Rule
	Knots   [][]float64 // [K or M] of curves, see rules.RuleBase; nil: no curves
	Curves  [][]float64 // [C], of all rules, or [C R]: that of output c of rule r is c R + r
	Outputs int         // C

	Link      string
	Targets   []Scale   // [C], identity and ordered links; one of the log link
	Low, High []float64 // [J] limits of the response, infinite without; nil of classes
	Uncovered []float64 // [J]
}

// Input is the z-score of a feature.
type Input struct {
	Feature  int // index in Form.Features
	Mean, SD float64
	Missing  float64      // z-score of a missing value
	Power    *model.Power // of the input of the IF parts; nil: none. Its values are limited to +-PowerLimit

	Low, High float64 // limits of the z-score, infinite without
}

// Limited reports whether the z-score has limits.
func (in Input) Limited() bool { return !math.IsInf(in.Low, 0) || !math.IsInf(in.High, 0) }

// Scale converts an output of the rules to a target: Mean + Scale y.
type Scale struct{ Mean, Scale float64 }

// Rule is a rule. Conditions that always hold are left out.
type Rule struct {
	If      []int       // inputs, ascending
	Params  [][]float64 // [len(If)][P]
	Weights [][]float64 // [C][1+M or 1+K], the bias first
}

const (
	MinFiring  = rules.MinFiring       // sum of levels above which a sample is covered
	LeastLevel = inference.LeastFiring // level below which a rule has the weight zero, with a Weight
	PowerLimit = model.PowerLimit      // largest absolute value of a Power transform
	Farthest   = model.Farthest        // z-score from which on there is no prediction

	farthestSingle = 1e15 // is Farthest with numbers of 32 bits, whose squares overflow sooner
)

// FarthestOf returns the z-score from which on there is no prediction, with numbers of 32 bits or of 64.
func FarthestOf(single bool) float64 {
	if single {
		return farthestSingle
	}
	return Farthest
}

// Start returns the level of a rule without conditions.
func (m *Member) Start() float64 {
	if m.LogSpace {
		return 0
	}
	return 1
}

// Width returns the number of inputs of the rules: M, or K with components.
func (m *Member) Width() int {
	if m.Components != nil {
		return len(m.Components)
	}
	return len(m.Inputs)
}

// OwnCurves reports whether each rule has curves of its own.
func (m *Member) OwnCurves() bool { return len(m.Curves) > m.Outputs }

// Curve returns the values at the knots of output c of rule r; nil without curves.
func (m *Member) Curve(c, r int) []float64 {
	switch {
	case m.Curves == nil:
		return nil
	case m.OwnCurves():
		return m.Curves[c*len(m.Rules)+r]
	}
	return m.Curves[c]
}

// Arguments returns the names of the arguments of Grade: x, and the parameters p[0], p[1] and so on.
func (m *Member) Arguments() []string {
	names := []string{"x"}
	for j := range m.Parameters {
		names = append(names, fmt.Sprintf("p[%d]", j))
	}
	return names
}

// Scales returns the means and the scales of the targets.
func (m *Member) Scales() (means, scales []float64) {
	for _, t := range m.Targets {
		means, scales = append(means, t.Mean), append(scales, t.Scale)
	}
	return means, scales
}

// newMember converts a single model. index has the indices of its features in the form.
func newMember(m *model.Model, f *Form, index []int) Member {
	rb := m.RuleBase
	e := Member{
		Shape: rb.Shape, Parameters: len(rb.Antecedents), Knots: rb.Knots, Curves: rb.Curves, LogSpace: rb.LogSpace(), Outputs: m.OutputCount(),
		Link: m.Link(), Uncovered: m.Uncovered(), TNorm: inference.OrProduct(rb.TNorm).Name(), Defuzz: inference.OrTSK(rb.Defuzzification).Name(),
	}
	limits := m.Preprocessing.Limits()
	for i, of := range m.Features {
		if of.Constant {
			continue
		}
		in := Input{Feature: index[i], Mean: of.Mean, SD: of.SD, Power: of.Power}
		in.Low, in.High = of.ScaledLimits(limits[i])
		if missing := f.Features[index[i]].Missing; !math.IsNaN(missing) {
			in.Missing = (missing - of.Mean) / of.SD
		}
		e.Inputs = append(e.Inputs, in)
	}
	for _, c := range m.Components {
		e.Components = append(e.Components, c.Loadings)
	}
	if e.Components != nil {
		for i := range e.Inputs {
			e.Inputs[i].Power = nil // components are of z-scores
		}
	}
	e.addPrograms(rb)
	e.addRules(rb)
	e.addTargets(m)
	return e
}

// addPrograms records the formulas of the rulebase.
func (m *Member) addPrograms(rb *rules.RuleBase) {
	norm, by := inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	grade, join := rb.Shape.Expr, norm.Expr
	if m.LogSpace {
		grade, join = rb.Shape.(membership.LogFunction).LogExpr, norm.(inference.LogTNorm).LogExpr
	}
	m.Grade = Record(1+m.Parameters, func(b membership.Builder, a []membership.Term) membership.Term { return grade(b, a[0], a[1:]) })
	m.Join = Record(2, func(b membership.Builder, a []membership.Term) membership.Term { return join(b, a[0], a[1]) })
	if by != (inference.TSK{}) {
		m.Weight = Record(1, func(b membership.Builder, a []membership.Term) membership.Term {
			return by.Expr(b, a[0], rb.Features())
		})
	}
}

// addRules adds the rules.
func (m *Member) addRules(rb *rules.RuleBase) {
	width := rb.Features() + 1
	for r, w := range rb.Consequents {
		rule := Rule{}
		for i := range rb.Features() {
			if !rb.IsFlat(r, i) {
				rule.If = append(rule.If, i)
				rule.Params = append(rule.Params, rb.Function(make([]float64, m.Parameters), r, i))
			}
		}
		for c := range m.Outputs {
			rule.Weights = append(rule.Weights, w[c*width:(c+1)*width])
		}
		m.Rules = append(m.Rules, rule)
	}
}

// addTargets adds the scales and limits of the outputs, unless they are probabilities.
func (e *Member) addTargets(m *model.Model) {
	if m.Schema.Classes != nil {
		return
	}
	for _, v := range m.Values() {
		low, high := v.Limits()
		e.Targets, e.Low, e.High = append(e.Targets, Scale{v.Mean, v.Scaling()}), append(e.Low, low), append(e.High, high)
	}
}

// formulas returns the first member of each group of members that have the same formulas, and the
// index of the group of each member.
func formulas(members []Member) (first []*Member, group []int) {
	for i := range members {
		m := &members[i]
		at := 0
		for at < len(first) && !sameFormulas(m, first[at]) {
			at++
		}
		if at == len(first) {
			first = append(first, m)
		}
		group = append(group, at)
	}
	return first, group
}

func sameFormulas(a, b *Member) bool {
	return a.LogSpace == b.LogSpace && reflect.DeepEqual(a.Grade, b.Grade) && reflect.DeepEqual(a.Join, b.Join) &&
		reflect.DeepEqual(a.Weight, b.Weight)
}

// openSingle scales the positions of open borders, see [membership.IsOpen], into the range of
// 32-bit numbers. Their flanks stay one for all samples.
const openSingle = 1e-170

// Single returns the form for a target that computes with numbers of 32 bits: the same, with open
// borders within their range.
func Single(f *Form) *Form {
	narrow := *f
	narrow.Members = slices.Clone(f.Members)
	for k := range narrow.Members {
		m := &narrow.Members[k]
		m.Rules = slices.Clone(m.Rules)
		for r := range m.Rules {
			m.Rules[r].Params = singleParams(m.Shape, m.Rules[r].Params)
		}
	}
	return &narrow
}

func singleParams(shape membership.Function, params [][]float64) [][]float64 {
	narrow := make([][]float64, len(params))
	for i, p := range params {
		narrow[i] = slices.Clone(p)
		for j, param := range shape.Params() {
			if membership.IsOpen(param, p[j]) && !math.IsInf(p[j], 0) {
				narrow[i][j] *= openSingle
			}
		}
	}
	return narrow
}

// singleRatio is the size of numbers in standard deviations above which 32 bits are too few for them:
// the z-score is then off by 1e-5 and more.
const singleRatio = 200

// SingleNotes names the columns whose numbers lose digits that matter when a target reads them as
// numbers of 32 bits.
func SingleNotes(f *Form) (notes []string) {
	for _, c := range f.Columns {
		sd := math.Inf(1)
		for _, m := range f.Members {
			for _, in := range m.Inputs {
				if in.Feature == c.First {
					sd = min(sd, in.SD)
				}
			}
		}
		if size := max(math.Abs(c.Min), math.Abs(c.Max)); c.Numbers() && size > singleRatio*sd {
			notes = append(notes,
				fmt.Sprintf("column %s: numbers up to %.6g that differ by %.3g (a standard deviation) lose digits in 32 bits: their z-scores may "+
					"be off by %.1g",
					escape.Quote(c.Name), size, sd, 0x1p-24*size/sd))
		}
	}
	return notes
}
