package words

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// UsualLevel is the level of the prediction intervals and sets in reports.
const UsualLevel = 0.9

// Interval describes a model's prediction intervals of one level or, of classes, its prediction sets, with their coverage of a data set.
type Interval struct {
	Level     float64  `json:"level"`
	HalfWidth *float64 `json:"half_width,omitempty"` // in the target's unit, of intervals of constant width
	Samples   int      `json:"calibration_samples"`  // of the calibration part
	Coverage  *float64 `json:"coverage,omitempty"`   // share of the data set's samples whose targets they hold

	// Mean sizes on the data set: MeanWidth of intervals of other widths, see [model.Model.Coverage], MeanClasses of sets.
	MeanWidth   *float64 `json:"mean_width,omitempty"`
	MeanClasses *float64 `json:"mean_classes,omitempty"`

	Side   model.Side `json:"side,omitempty"`   // lower or upper; empty: both
	Groups []Coverage `json:"groups,omitempty"` // of the data set, of a large one of a random sample

	Rules []model.RuleCalibration `json:"rules,omitempty"` // see [model.Calibration]

	Targets int  `json:"-"` // number of targets
	Sets    bool `json:"-"` // of classes
	unit    string
}

// UsualInterval returns a model's intervals of [UsualLevel]; nil if it has none.
func UsualInterval(m *model.Model) *Interval {
	i, err := newInterval(m, UsualLevel, model.BothSides)
	if err != nil {
		return nil // not calibrated, or with fewer than 9 samples
	}
	return i
}

func newInterval(m *model.Model, level float64, side model.Side) (*Interval, error) {
	if _, err := m.Score(level, side); err != nil {
		return nil, err
	}
	i := &Interval{Level: level, Samples: m.Calibration.Samples, Targets: len(m.Schema.Targets()), Sets: m.Schema.Classes != nil,
		Rules: m.Calibration.Rules, unit: m.Schema.TargetUnit}
	if side != model.BothSides {
		i.Side = side
	} else if half, err := m.HalfWidth(level); err == nil {
		i.HalfWidth = &half
	}
	return i, nil
}

// MeasureInterval returns a model's intervals of a level on a side with their coverage of a data set, and of groups of its rows. Its errors
// are those of [model.Model.Coverage].
func MeasureInterval(ctx context.Context, m *model.Model, level float64, side model.Side, d *data.Dataset) (*Interval, error) {
	i, err := newInterval(m, level, side)
	if err != nil {
		return nil, err
	}
	coverage, size, err := m.Coverage(ctx, d, level, side)
	if err != nil {
		return nil, err
	}
	some, err := d.WithoutWhole().Weighed()
	if err != nil {
		return nil, err
	}
	some = m.Fill(some)
	p, err := m.Predict(some.X)
	if err != nil {
		return nil, err
	}
	held, _, err := m.Held(p, some, level, side)
	if err != nil {
		return nil, err
	}
	if i.Groups, err = coverages(m, some, held, i); err != nil {
		return nil, err
	}
	i.Coverage = &coverage
	switch {
	case i.Sets:
		i.MeanClasses = &size
	case i.HalfWidth == nil:
		i.MeanWidth = &size
	}
	return i, nil
}

// String returns the intervals in one line.
func (i Interval) String() string {
	s := fmt.Sprintf("%.4g%% prediction interval", 100*i.Level)
	if i.Side != "" {
		s = fmt.Sprintf("%.4g%% prediction bound, %s", 100*i.Level, i.Side)
	}
	switch {
	case i.Side != "" && i.MeanWidth != nil:
		s += ": " + numeric.Grouped(numeric.Show(*i.MeanWidth, 5)) + " from the prediction on average"
	case i.HalfWidth != nil:
		s += ": plus or minus " + numeric.Grouped(numeric.Show(*i.HalfWidth, 5))
	case i.MeanWidth != nil:
		s += ": " + numeric.Grouped(numeric.Show(*i.MeanWidth, 5)) + " wide on average"
		if i.Targets > 1 {
			s += " in standard deviations of the targets"
		}
	case i.Sets:
		s = fmt.Sprintf("%.4g%% prediction set", 100*i.Level)
		if i.MeanClasses != nil {
			mean, what := fmt.Sprintf("%.3g", *i.MeanClasses), "classes"
			if mean == "1" {
				what = "class"
			}
			s += ": " + mean + " " + what + " on average"
		}
	}
	if i.HalfWidth == nil && !i.Sets && i.Targets == 1 && i.MeanWidth == nil {
		s += " of widths that follow the rows"
	}
	s += fmt.Sprintf(", from %d calibration samples", i.Samples)
	if i.Coverage == nil {
		return s
	}
	what := "the targets measured"
	if i.Targets > 1 {
		what = "the rows measured, with all their targets"
	}
	return s + fmt.Sprintf("; it covers %.1f%% of %s", 100**i.Coverage, what)
}

// Neighbours describes the neighbours of a model, without the rows that they store, see [model.Neighbours].
type Neighbours struct {
	K           int     `json:"k"`
	Power       int     `json:"power"`
	Weight      float64 `json:"weight"`
	Rows        int     `json:"rows"` // stored
	LeaveOneOut float64 `json:"leave_one_out"`
	Without     float64 `json:"without"`
}

// neighboursOf describes the neighbours of a model; nil if it has none.
func neighboursOf(m *model.Model) *Neighbours {
	n := m.Neighbours
	if n == nil {
		return nil
	}
	return &Neighbours{K: n.K, Power: n.Power, Weight: n.Weight, Rows: len(n.Rows), LeaveOneOut: n.LeaveOneOut, Without: n.Without}
}

// String says what the neighbours add to a prediction.
func (n Neighbours) String() string {
	return fmt.Sprintf("Neighbours: every prediction adds %.2g times the mean error on the %d most similar of %d stored training rows, near\n"+
		"ones counting more. RMSE on these rows, each without itself: %s; without neighbours: %s. The rules do not show this part;\n"+
		"`tskgraph explain` shows it for a row. Whoever has the model file can read the rows.",
		n.Weight, n.K, n.Rows, numeric.Show(n.LeaveOneOut, 4), numeric.Show(n.Without, 4))
}

// LimitedColumns says which columns have limits; none: no column has.
func LimitedColumns(m *model.Model) (all []string) {
	for _, c := range m.Schema.Columns {
		if c.Limits != nil && !c.Unused {
			all = append(all, fmt.Sprintf("%s is limited to %s: a cell beyond counts as the limit.", escape.Text(c.Name), c.Limits))
		}
	}
	return all
}

// missingValues says what missing values count as in a model that was trained on means in their place, and cells beyond limits; empty for
// another.
func missingValues(m *model.Model) string {
	text := ""
	for _, line := range LimitedColumns(m) {
		text += line + "\n"
	}
	if !m.ImputeMeans {
		return text
	}
	text += "A missing value counts as the training mean of its column.\n"
	if slices.ContainsFunc(m.Schema.Columns, func(c data.Column) bool { return c.Missing && !c.Unused }) {
		text += "Where rules say that a column is missing or known, they ask for the cell itself.\n"
	}
	if slices.ContainsFunc(m.Schema.Columns, func(c data.Column) bool { return c.Nominal() && !c.Unused && !c.Missing }) {
		text += `A missing category counts as all levels at once, by their training shares: a condition on a category may hold for rows
without it.
`
	}
	return text
}

// Bound says that what each rule says of an output does not rise with some features, and does not
// fall with others: the signs of its slopes are bounded, see [rules.RuleBase].
type Bound struct {
	Output string   `json:"output"`
	Holds  bool     `json:"holds_for_predictions,omitempty"` // no condition is on these features
	NoRise []string `json:"never_rises_with,omitempty"`
	NoFall []string `json:"never_falls_with,omitempty"`
}

// boundsOf returns the bounds of a model, output by output.
func boundsOf(m *model.Model, outputs []Output) (all []Bound) {
	for c, o := range outputs {
		b := Bound{Output: o.Name}
		one := m.RuleBase.Output(c)
		for i, f := range m.Inputs() {
			switch {
			case one.Signs == nil:
			case one.Signs[i+1] < 0:
				b.NoRise = append(b.NoRise, f.Name)
			case one.Signs[i+1] > 0:
				b.NoFall = append(b.NoFall, f.Name)
			}
		}
		b.Holds = m.Neighbours == nil && !conditioned(one.Signs, m)
		if b.NoRise != nil || b.NoFall != nil {
			all = append(all, b)
		}
	}
	return all
}

// conditioned reports whether the IF part of a rule is on a feature with a sign.
func conditioned(signs []int, m *model.Model) bool {
	for i := 1; i < len(signs); i++ {
		for r := range m.RuleBase.Rules() {
			if signs[i] != 0 && !m.RuleBase.IsFlat(r, i-1) {
				return true
			}
		}
	}
	return false
}

// says returns what the rules do not do, such as "rise with outside or fall with day".
func (b Bound) says() string {
	var parts []string
	if b.NoRise != nil {
		parts = append(parts, "rise with "+either(b.NoRise))
	}
	if b.NoFall != nil {
		parts = append(parts, "fall with "+either(b.NoFall))
	}
	return strings.Join(parts, ", or ")
}

// boundsInWords returns a sentence for each bound, of several outputs if they have the same, and
// one that says what bounds do not imply; nil without bounds.
func boundsInWords(bounds []Bound, rules int) []string {
	var lines []string
	for i, b := range bounds {
		same := func(o Bound) bool { return o.says() == b.says() && o.Holds == b.Holds }
		if slices.ContainsFunc(bounds[:i], same) {
			continue
		}
		var outputs []string
		for _, o := range bounds[i:] {
			if same(o) {
				outputs = append(outputs, o.Output)
			}
		}
		if b.Holds {
			lines = append(lines, "Predictions of "+either(outputs)+" never "+b.says()+", whatever the other columns are.")
			continue
		}
		lines = append(lines, "No rule lets "+either(outputs)+" "+b.says()+".")
	}
	if rules > 1 && slices.ContainsFunc(bounds, func(b Bound) bool { return !b.Holds }) {
		lines = append(lines, "The prediction itself can, where weight moves from one rule to another.")
	}
	return lines
}
