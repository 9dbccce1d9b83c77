package ensemble

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/internal/paired"
	"github.com/tskgraph/tskgraph/recipe"
)

// maxSEBehind is the number of standard errors by which the mean squared error of a
// candidate may exceed the best one's for it to stay in the race.
const maxSEBehind = 2.0

// best returns the candidates that have not failed and are not clearly behind, the best one
// first. heldToTrain is the ratio of held-out to training samples of a split.
func best(candidates []*candidate, heldToTrain float64) []*candidate {
	trained := slices.DeleteFunc(slices.Clone(candidates), func(c *candidate) bool { return c.err != nil })
	slices.SortStableFunc(trained, func(a, b *candidate) int { return cmp.Compare(a.RMSE, b.RMSE) })
	return slices.DeleteFunc(trained, func(c *candidate) bool {
		over, sd := c.over(trained[0])
		return over > maxSEBehind*paired.StdErr(sd, len(c.squares), heldToTrain)
	})
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
	Setting recipe.Setting
	RMSE    float64 // over all held-out parts, in the target's unit
	Splits  int     // on which it was trained: fewer than train.race_splits if it fell behind
	Chosen  bool    // used for the model, or for members of the committee
	Failed  string  // error of a training that diverged, if any
}

// scoreFields are the fields of a score in JSON besides those of its setting.
type scoreFields struct {
	RMSE   float64 `json:"rmse"`
	Splits int     `json:"splits"`
	Chosen bool    `json:"chosen,omitempty"`
	Failed string  `json:"failed,omitempty"`
}

// MarshalJSON writes one object: the setting's keys, then rmse, splits, chosen and failed.
func (s RaceScore) MarshalJSON() ([]byte, error) {
	setting, err := json.Marshal(s.Setting)
	if err != nil {
		return nil, err
	}
	fields, err := json.Marshal(scoreFields{s.RMSE, s.Splits, s.Chosen, s.Failed})
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
	for _, name := range []string{"rmse", "splits", "chosen", "failed"} {
		delete(setting, name)
	}
	*s = RaceScore{setting, fields.RMSE, fields.Splits, fields.Chosen, fields.Failed}
	return nil
}
