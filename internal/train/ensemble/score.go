package ensemble

import (
	"encoding/json"
	"errors"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// RaceScore is the result of a setting in a race.
type RaceScore struct {
	Setting  recipe.Setting
	Metric   string  // name of the criterion, see model.Criterion
	Loss     float64 // figure of the criterion over all held-out parts
	Fidelity float64 // that of the strongest rule read alone, over Loss
	Splits   int     // on which it was trained: fewer than train.race_splits if it left the race
	Chosen   bool    // used for the model, or for members of the committee
	Failed   string  // error of a training that diverged, if any
}

// scoreFields are the fields of a score in JSON besides those of its setting.
type scoreFields struct {
	Metric   string   `json:"metric"`
	Loss     *float64 `json:"loss"`               // nil: not finite
	Fidelity *float64 `json:"fidelity,omitempty"` // nil: not finite
	Splits   int      `json:"splits"`
	Chosen   bool     `json:"chosen,omitempty"`
	Failed   string   `json:"failed,omitempty"`
}

// MarshalJSON writes one object: the setting's keys, then metric, loss, fidelity, splits, chosen and failed.
func (s RaceScore) MarshalJSON() ([]byte, error) {
	setting, err := json.Marshal(s.Setting)
	if err != nil {
		return nil, err
	}
	fields, err := json.Marshal(scoreFields{s.Metric, numeric.OrNil(s.Loss), numeric.OrNil(s.Fidelity), s.Splits, s.Chosen, s.Failed})
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
	for _, name := range []string{"metric", "loss", "fidelity", "splits", "chosen", "failed"} {
		delete(setting, name)
	}
	*s = RaceScore{setting, fields.Metric, numeric.OrNaN(fields.Loss), numeric.OrNaN(fields.Fidelity), fields.Splits, fields.Chosen, fields.Failed}
	return nil
}
