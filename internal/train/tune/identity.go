package tune

import (
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// identify returns what the results of a search depend on. The number of trials and the
// time may change from one run to the next.
func identify(d *data.Dataset, base recipe.Recipe, o Options) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(base, map[string]*data.Dataset{"data": d})
	if err != nil {
		return nil, err
	}
	for _, k := range listed() {
		id[listName(k.Own())] = listText(o.Space[k.Own()])
	}
	for _, key := range []string{"train.patience", "train.members"} { // without effect on a trial
		delete(id, key)
	}
	id["tune.folds"], id["tune.split"] = fmt.Sprint(o.Folds), o.Split
	id["tune.repeats"] = fmt.Sprint(o.Repeats)
	return id, nil
}

// listText returns a list as text, the shapes in it by their formulas.
func listText(list []any) string {
	texts := make([]string, len(list))
	for i, v := range list {
		if f, ok := v.(membership.Function); ok {
			texts[i] = recipe.Formula(f)
		} else {
			texts[i] = recipe.Text(v)
		}
	}
	return fmt.Sprint(texts)
}
