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

// maxSEBehind is how many standard errors the mean squared error of a candidate is above
// the best one's, at most, while it stays in the race.
const maxSEBehind = 2.0

// best returns the candidates that are not clearly behind, the best one first. Those that
// failed are not among them. heldToTrain is the number of samples held out in a split
// over that of its training samples.
func best(candidates []*candidate, heldToTrain float64) []*candidate {
	sound := slices.DeleteFunc(slices.Clone(candidates), func(c *candidate) bool { return c.err != nil })
	slices.SortStableFunc(sound, func(a, b *candidate) int { return cmp.Compare(a.RMSE, b.RMSE) })
	return slices.DeleteFunc(sound, func(c *candidate) bool {
		over, sd := c.over(sound[0])
		return over > maxSEBehind*paired.StdErr(sd, len(c.squares), heldToTrain)
	})
}

// over returns by how much the mean squared error of a candidate is above the first one's,
// as a mean over the splits, and the standard deviation of a split's. A race has few
// splits, one after the first round, and they may agree by chance: the standard deviation
// between them is at least what the samples within them say.
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

// RaceScore is what became of a setting.
type RaceScore struct {
	Setting recipe.Setting
	RMSE    float64 // over the parts that were held out, together, in the target's unit
	Splits  int     // of the training part that it was trained on: fewer than train.race_splits if it fell behind
	Chosen  bool    // it trains the model, or members of the committee
	Failed  string  // why it has no score: its training diverged
}

// scoreFields are the fields of a score in JSON, beside those of its setting.
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
