package report

import (
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// Stability is how much a model depends on its seed; `stability --json` prints it.
type Stability struct {
	Data    string   `json:"data"`
	Target  string   `json:"target"`
	Targets []string `json:"targets,omitempty"` // all of several, Target is the first
	Part    string   `json:"part"`              // on which the models are compared: test or train
	Members int      `json:"members,omitempty"`
	*tune.Dependence
}
