package tune

import (
	"fmt"
	"maps"

	"github.com/tskgraph/tskgraph/checkpoint"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/recipe"
)

// identify returns what the results of a search depend on. The number of trials and the
// time may change from one run to the next.
func identify(d *data.Dataset, base recipe.Recipe, o Options) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(base, map[string]*data.Dataset{"data": d})
	if err != nil {
		return nil, err
	}
	maps.Copy(id, o.Space.lists())
	for _, key := range []string{"train.patience", "train.members", "train.race_splits"} { // without effect on a trial
		delete(id, key)
	}
	id["tune.folds"], id["tune.split"] = fmt.Sprint(o.Folds), o.Split
	id["tune.repeats"] = fmt.Sprint(o.Repeats)
	return id, nil
}

// lists returns the lists by their keys, as text.
func (sp Space) lists() map[string]string {
	var shapes []string
	for _, f := range sp.Membership {
		shapes = append(shapes, recipe.Formula(f))
	}
	return map[string]string{
		"tune.rules": fmt.Sprint(sp.Rules), "tune.membership": fmt.Sprint(shapes), "tune.droprule": fmt.Sprint(sp.DropRule),
		"tune.antecedents": fmt.Sprint(sp.Antecedents), "tune.uniform": fmt.Sprint(sp.Uniform),
		"tune.l2": fmt.Sprint(sp.L2), "tune.iterations": fmt.Sprint(sp.Iterations), "tune.learning_rate": fmt.Sprint(sp.LearningRate),
	}
}
