package ensemble

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/internal/paired"
	"github.com/tskgraph/tskgraph/recipe"
)

// maxSEBehind is the number of standard errors by which the mean squared error of a
// candidate may exceed the best one's for it to stay in the race.
const maxSEBehind = 2.0

// best returns the candidates that have not failed and are not clearly behind, the best one
// first: those whose fidelity is at most limit by their errors, then the others by their
// fidelity. A limit of zero is none. heldToTrain is the ratio of held-out to training
// samples of a split.
func best(candidates []*candidate, limit, heldToTrain float64) []*candidate {
	trained := slices.DeleteFunc(slices.Clone(candidates), func(c *candidate) bool { return c.err != nil })
	beyond := func(c *candidate) float64 {
		if limit == 0 || c.Fidelity <= limit {
			return 0
		}
		return c.Fidelity
	}
	slices.SortStableFunc(trained, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(beyond(a), beyond(b)), cmp.Compare(a.RMSE, b.RMSE))
	})
	return slices.DeleteFunc(trained, func(c *candidate) bool {
		over, sd := c.over(trained[0])
		return over > maxSEBehind*paired.StdErr(sd, len(c.squares), heldToTrain)
	})
}

// measure computes RMSE and fidelity from the errors on the splits so far, in the given
// unit. The fidelity is infinite if no held-out sample is covered by a rule.
func (c *candidate) measure(unit float64) {
	squares, alone := slices.Concat(c.squares...), slices.Concat(c.alone...)
	c.RMSE = unit * math.Sqrt(stat.Mean(squares, nil))
	c.Splits = len(c.squares)
	whole, one, covered := 0.0, 0.0, false
	for n, s := range alone {
		if !math.IsNaN(s) {
			whole, one, covered = whole+squares[n], one+s, true
		}
	}
	c.Fidelity = math.Inf(1)
	switch {
	case covered && whole > 0:
		c.Fidelity = math.Sqrt(one / whole)
	case covered && one == 0:
		c.Fidelity = 1 // neither errs
	}
}

// over returns the mean over the splits of the difference between the mean squared errors
// of a candidate and of the first one, and the standard deviation of a split's difference.
// A race has few splits, initially one, which may agree by chance, so the standard
// deviation is at least that expected from the samples within the splits.
func (c *candidate) over(first *candidate) (over, sd float64) {
	var means []float64
	within := 0.0
	for i, squares := range c.squares {
		worse := make([]float64, len(squares))
		for n, s := range squares {
			worse[n] = s - first.squares[i][n]
		}
		mean, variance := stat.MeanVariance(worse, nil)
		means = append(means, mean)
		within += variance / float64(len(worse)) / float64(len(c.squares))
	}
	over, between := stat.MeanVariance(means, nil)
	if len(means) < 2 {
		between = 0
	}
	return over, math.Sqrt(max(between, within))
}

// RaceScore is the result of a setting in a race.
type RaceScore struct {
	Setting  recipe.Setting
	RMSE     float64 // over all held-out parts, in the target's unit
	Fidelity float64 // RMSE of the strongest rule read alone, over RMSE
	Splits   int     // on which it was trained: fewer than train.race_splits if it fell behind
	Chosen   bool    // used for the model, or for members of the committee
	Failed   string  // error of a training that diverged, if any
}

// scoreFields are the fields of a score in JSON besides those of its setting.
type scoreFields struct {
	RMSE     float64  `json:"rmse"`
	Fidelity *float64 `json:"fidelity,omitempty"` // nil: not finite
	Splits   int      `json:"splits"`
	Chosen   bool     `json:"chosen,omitempty"`
	Failed   string   `json:"failed,omitempty"`
}

// MarshalJSON writes one object: the setting's keys, then rmse, fidelity, splits, chosen and failed.
func (s RaceScore) MarshalJSON() ([]byte, error) {
	setting, err := json.Marshal(s.Setting)
	if err != nil {
		return nil, err
	}
	fields, err := json.Marshal(scoreFields{s.RMSE, numeric.OrNil(s.Fidelity), s.Splits, s.Chosen, s.Failed})
	if err != nil || len(setting) == len("{}") {
		return fields, err
	}
	setting[len(setting)-1] = ','
	return append(setting, fields[1:]...), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *RaceScore) UnmarshalJSON(text []byte) error {
	var fields scoreFields
	setting := recipe.Setting{}
	if err := errors.Join(json.Unmarshal(text, &fields), json.Unmarshal(text, &setting)); err != nil {
		return err
	}
	for _, name := range []string{"rmse", "fidelity", "splits", "chosen", "failed"} {
		delete(setting, name)
	}
	*s = RaceScore{setting, fields.RMSE, numeric.OrNaN(fields.Fidelity), fields.Splits, fields.Chosen, fields.Failed}
	return nil
}
