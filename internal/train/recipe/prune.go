package recipe

import (
	"math"

	"github.com/tskgraph/tskgraph/interval"
)

// Prune is the `prune:` section of config.yaml: rounds of the paper's Algorithm 2, each
// followed by a refinement.
type Prune struct {
	Rounds int     // 0: none. The paper's T = 3 is two rounds
	Gamma  float64 // rules whose firing level is below gamma times the median are removed; 0: none
	Theta  float64 // rules more similar than theta, in [0, 1], are merged; 1: none
	Idle   bool    // rules that decide for no training sample are removed after training, see rules.WithoutIdle
}

var pruneKeys = []Key{
	{Name: "prune.rounds", Limits: interval.From(0).To(maxRounds),
		Field: func(r *Recipe) Field { return Whole(&r.Prune.Rounds) }},
	{Name: "prune.gamma", Limits: interval.From(0),
		Field: func(r *Recipe) Field { return Real(&r.Prune.Gamma) }, Shown: prunes},
	{Name: "prune.theta", Limits: interval.From(0).To(1),
		Field: func(r *Recipe) Field { return Real(&r.Prune.Theta) }, Shown: prunes},
	{Name: "prune.idle",
		Field: func(r *Recipe) Field { return Flag(&r.Prune.Idle) }, Kept: func(r *Recipe) bool { return r.Prune.Idle }},
}

func prunes(r *Recipe) bool { return r.Prune.Rounds > 0 }

// Stages divides the iterations of a training: 0.6 of them for the first training, the
// rest in equal parts for the refinements. The rounded parts sum to iterations.
func (p Prune) Stages(iterations int) []int {
	if p.Rounds == 0 {
		return []int{iterations}
	}
	var parts []int
	before := 0
	for t := range p.Rounds + 1 {
		share := 0.6 + 0.4*float64(t)/float64(p.Rounds)
		end := int(math.Round(share * float64(iterations)))
		parts = append(parts, end-before)
		before = end
	}
	return parts
}
