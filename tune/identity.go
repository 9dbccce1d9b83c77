package tune

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/buildinfo"
)

// identity is all that the results of a search depend on, by what it is called.
// The number of trials and the time may change from one run to the next.
type identity map[string]string

func identify(d *data.Dataset, base tskgraph.Options, o Options) identity {
	id, _ := base.Settings() // the options were checked
	maps.Copy(id, o.Space.lists())
	id["model.membership"] = describe(base.Model.Membership)
	id["train.race"] = fmt.Sprintf("%+v", base.Train.Race)
	delete(id, "train.patience") // without effect on a trial, as are the members
	delete(id, "train.members")
	id["tune.folds"], id["tune.split"] = fmt.Sprint(o.Folds), o.Split
	id["data"] = d.Fingerprint()
	id["tune.repeats"] = fmt.Sprint(o.Repeats)
	id["version of tskgraph"] = tskgraph.Version
	build := buildinfo.Read()
	id["arithmetic"], id["revision of tskgraph"] = build.Arithmetic(), build.Sources() // last bits grow in training
	return id
}

// lists returns the lists by their keys, as text.
func (sp Space) lists() map[string]string {
	var shapes []string
	for _, f := range sp.Membership {
		shapes = append(shapes, describe(f))
	}
	return map[string]string{
		"tune.rules": fmt.Sprint(sp.Rules), "tune.membership": fmt.Sprint(shapes), "tune.droprule": fmt.Sprint(sp.DropRule),
		"tune.antecedents": fmt.Sprint(sp.Antecedents), "tune.uniform": fmt.Sprint(sp.Uniform),
		"tune.l2": fmt.Sprint(sp.L2), "tune.iterations": fmt.Sprint(sp.Iterations), "tune.learning_rate": fmt.Sprint(sp.LearningRate),
	}
}

// changes says what differs in another identity.
func (id identity) changes(now identity) []string {
	var changes []string
	all := maps.Clone(id)
	maps.Copy(all, now)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if id[key] != now[key] {
			changes = append(changes, fmt.Sprintf("%s was %s, is %s", key, orNothing(id[key]), orNothing(now[key])))
		}
	}
	return changes
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
