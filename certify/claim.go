package certify

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// Kinds of claims.
const (
	Range     = "range"     // predictions lie from Low to High
	Monotone  = "monotone"  // predictions never fall (Direction increasing), or never rise, along Column; up to Tolerance
	Slope     = "slope"     // the change of predictions per unit of Column lies from Low to High, where it has no jump
	Jump      = "jump"      // predictions change from Low to High at a step of a condition on Column
	Coverage  = "coverage"  // some rule of each member fires everywhere
	Partition = "partition" // the grades of the rules sum to one everywhere; of crisp rules, each row meets one
	Decides   = "decides"   // rule r has at least half of the weight in Shares[r] of the domain
	Rounding  = "rounding"  // predictions that are computed in numbers of so many Bits are off by High at most
)

// Directions of a [Monotone] claim.
const (
	Increasing = "increasing"
	Decreasing = "decreasing"
)

// Status is what is known of a claim.
type Status string

const (
	Proved  Status = "proved"
	Refuted Status = "refuted" // Rows show it
	Open    Status = "open"    // Undecided is the share of the domain for which the budget did not suffice, or Reason says why
)

// Claim is a statement about the predictions of a model for all rows of a domain.
type Claim struct {
	Kind      string   `json:"kind"`
	Output    string   `json:"output,omitempty"` // name of the value that is predicted
	Column    string   `json:"column,omitempty"`
	Direction string   `json:"direction,omitempty"`
	Low       *float64 `json:"low,omitempty"`
	High      *float64 `json:"high,omitempty"`
	Tolerance float64  `json:"tolerance,omitempty"` // of [Monotone]: the largest change against the direction over the range of the column
	Bits      int      `json:"bits,omitempty"`      // of [Rounding]: 64 or 32
	Promised  bool     `json:"promised,omitempty"`  // by the configuration of the model

	Status    Status     `json:"status"`
	Undecided float64    `json:"undecided,omitempty"`
	Reason    string     `json:"reason,omitempty"`
	Attained  []float64  `json:"attained,omitempty"` // the least and the largest value that was seen
	Rows      [][]string `json:"rows,omitempty"`     // that refute the claim: cells of the columns of the domain

	Cover  int       `json:"cover"`           // index of the boxes that prove it; -1: none
	Steps  []Face    `json:"steps,omitempty"` // of [Monotone] and [Jump]: proofs for each step of the column
	Rules  []int     `json:"rules,omitempty"` // of [Decides]: the rule of each box of the cover, from 0; -1: none
	Shares []float64 `json:"shares,omitempty"`
}

// Face is a step of a column and the index of the boxes, in which the column is from At to the next number, that prove the claim there.
type Face struct {
	At    float64 `json:"at"`
	Cover int     `json:"cover"`
}

func (s *space) column(name string) int {
	for c, of := range s.domain.Columns {
		if of.Name == name {
			return c
		}
	}
	return -1
}

func (s *space) output(name string) int {
	for j, o := range s.form.Outputs {
		if o.Key == name {
			return j
		}
	}
	return -1
}

// verdict returns whether a claim holds in a box, which it is enclosed for, and whether it holds nowhere there.
func (s *space) verdict(c Claim, e enclosure, b box) (holds, nowhere bool) {
	j, column := s.output(c.Output), s.column(c.Column)
	switch c.Kind {
	case Range:
		return e.f[j].within(*c.Low, *c.High), e.f[j].lo > *c.High || e.f[j].hi < *c.Low
	case Slope:
		return e.by[j][column].within(*c.Low, *c.High), false
	case Monotone:
		d := e.by[j][column]
		if c.Direction == Decreasing {
			d = neg(d)
		}
		least := -c.Tolerance / s.length(column)
		return d.lo >= least, d.hi < least && b[column].hi > b[column].lo
	case Coverage:
		return e.covered, false
	case Partition:
		for _, sum := range e.sums {
			if !sum.within(1-sumTolerance, 1+sumTolerance) {
				return false, false
			}
		}
		return true, false
	case Rounding:
		k := slices.IndexFunc(precisions[:], func(p precision) bool { return p.bits == c.Bits })
		return e.off[k] != nil && e.off[k][j] <= *c.High, false
	}
	return false, false
}

// length returns the length of the range of a column.
func (s *space) length(column int) float64 {
	r := s.domain.Columns[column].Range
	return r[1] - r[0]
}

// verdictAtStep is verdict for a jump at a step.
func (s *space) verdictAtStep(c Claim, jump enclosure) (holds, nowhere bool) {
	d := jump.f[s.output(c.Output)]
	switch {
	case c.Kind == Jump:
		return d.within(*c.Low, *c.High), false
	case c.Direction == Decreasing:
		d = neg(d)
	}
	return d.lo >= -c.Tolerance, d.hi < -c.Tolerance
}

// atStep returns the box of a domain at a step of a column.
func (s *space) atStep(column int, at float64) box {
	b := s.domain.full()
	b[column] = cell{at, math.Nextafter(at, math.Inf(1)), nil}
	return b
}

// within returns the steps of a column within its range.
func (s *space) stepsWithin(column int) (all []float64) {
	r := s.domain.Columns[column].Range
	for _, at := range s.steps[column] {
		if at >= r[0] && at < r[1] {
			all = append(all, at)
		}
	}
	return all
}

// sumTolerance is how far the sum of grades may be from one, for rounding.
const sumTolerance = 1e-9

// String returns the claim in a few words.
func (c Claim) String() string {
	column, of := escape.Quote(c.Column), ""
	if c.Output != "" {
		of = " of " + escape.Quote(c.Output)
	}
	switch c.Kind {
	case Range:
		return fmt.Sprintf("predictions%s lie in the range %s", of, c.Says())
	case Monotone:
		return fmt.Sprintf("predictions%s are %s in %s", of, c.Direction, column)
	case Slope:
		return fmt.Sprintf("predictions%s change by %s per unit of %s", of, c.Says(), column)
	case Jump:
		return fmt.Sprintf("predictions%s jump by %s at steps of %s", of, c.Says(), column)
	case Rounding:
		return fmt.Sprintf("predictions%s in numbers of %d bits are off by %s", of, c.Bits, c.Says())
	case Coverage:
		return "some rule fires everywhere"
	case Partition:
		return "the grades of the rules sum to one everywhere"
	}
	return "rules decide a share of the domain"
}

// MonotoneKey is the option of a training (in the model's Training.Options) that promises monotone columns: JSON as in {"age":
// "increasing", "outside": {"heating": "decreasing"}}, a direction for all outputs or for some; the output * stands for those that are
// not named.
const MonotoneKey = "model.monotone"

// Promises returns what the configuration of a model promises, for [Options]: the limits of its predictions, and its monotone columns.
func Promises(m *model.Model) ([]Claim, error) {
	var all []Claim
	for _, v := range m.Values() {
		low, high := v.Limits()
		if low, high := max(low, -math.MaxFloat64), min(high, math.MaxFloat64); low > -math.MaxFloat64 || high < math.MaxFloat64 {
			all = append(all, Claim{Kind: Range, Output: v.Key, Low: &low, High: &high})
		}
	}
	text := m.Training.Options[MonotoneKey]
	if text == "" {
		return all, nil
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &columns); err != nil {
		return nil, fmt.Errorf("certify: %s: %w", MonotoneKey, err)
	}
	for _, c := range m.Schema.Columns {
		of, ok := columns[c.Name]
		if !ok {
			continue
		}
		var direction string
		byOutput := map[string]string{}
		if json.Unmarshal(of, &direction) != nil {
			if err := json.Unmarshal(of, &byOutput); err != nil {
				return nil, fmt.Errorf("certify: %s: %w", MonotoneKey, err)
			}
		}
		for _, v := range m.Values() {
			of := direction
			for _, key := range []string{v.Key, v.Name, "*"} {
				if of == "" {
					of = byOutput[key]
				}
			}
			if slices.Contains([]string{Increasing, Decreasing}, of) && !c.Unused {
				all = append(all, Claim{Kind: Monotone, Output: v.Key, Column: c.Name, Direction: of})
			}
		}
	}
	return all, nil
}
