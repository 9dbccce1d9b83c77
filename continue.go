package tskgraph

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// SavedModel is what [OptionsOf] says in Model.Init: the model is there already.
const SavedModel = "saved model"

// FromFile reports whether Init names the file of a saved model, or the directory
// of its run, and not an initialiser: whether it has a dot, a slash or a backslash
// in it.
func (o ModelOptions) FromFile() bool { return strings.ContainsAny(o.Init, `./\`) }

// continued returns a learner that starts with a model's rules and keeps its
// preprocessing. The features, the target and the shape must be the model's.
func continued(m *model.Model, train, validation *data.Dataset, o Options, chosen resolved) (*learner, error) {
	if o.Start != nil {
		return nil, &OptionError{"model.init", "Options.Start does not go with the rules of a saved model"}
	}
	if err := single(m); err != nil {
		return nil, err
	}
	if rb := m.RuleBase; o.Model.Rules != 0 && o.Model.Rules != rb.Rules() {
		return nil, &OptionError{"model.rules", fmt.Sprintf("%d, but the saved model has %d: leave it out", o.Model.Rules, rb.Rules())}
	} else if !sameShape(o.Model.Membership, rb.Shape) {
		return nil, &OptionError{"model.membership", fmt.Sprintf("%s, but the saved model has %s: set that", o.Model.Membership.Name(), rb.Shape.Name())}
	}
	if k := len(m.Components); o.Model.PCA != 0 && o.Model.PCA != k && (k > 0 || o.Model.PCA < len(m.Used())) {
		return nil, &OptionError{"data.pca", fmt.Sprintf("%d, but the saved model has %d components: leave it out", o.Model.PCA, k)}
	}
	for _, d := range []*data.Dataset{train, validation} {
		if d == nil {
			continue
		}
		if err := matches(m, d); err != nil {
			return nil, &data.Error{Message: err.Error(), Err: err}
		}
	}
	prep := m.Preprocessing
	if err := prep.Target.Narrow(o.Model.Bounds); err != nil {
		return nil, err
	}
	p, err := scaled(prep, train)
	if err != nil {
		return nil, err
	}
	l, err := newLearner(p, validation, o, chosen)
	if err != nil {
		return nil, err
	}
	l.rules = m.RuleBase
	return l, nil
}

// single refuses a committee, which has no rules of its own to go on with.
func single(m *model.Model) error {
	if m.Committee() {
		return &OptionError{"model.init", fmt.Sprintf("the saved model is a committee of %d models: go on with a single model", len(m.Members))}
	}
	return nil
}

func sameShape(a, b membership.Function) bool {
	f, writtenA := membership.AsFormula(a)
	g, writtenB := membership.AsFormula(b)
	return a.Name() == b.Name() && writtenA == writtenB && reflect.DeepEqual(f, g)
}

// matches says what keeps a data set from being one that a model can go on with.
func matches(m *model.Model, d *data.Dataset) error {
	if d.Schema.Target != m.Schema.Target {
		return fmt.Errorf("the target is %q, that of the saved model %q", d.Schema.Target, m.Schema.Target)
	}
	got, want := d.Schema.Features(), m.Schema.Features()
	for _, name := range want {
		if !slices.Contains(got, name) {
			return fmt.Errorf("there is no feature %q, which the saved model has", name)
		}
	}
	for i, name := range got {
		if !slices.Contains(want, name) {
			return fmt.Errorf("there is a feature %q, which the saved model does not have: leave it out (data.ignore)", name)
		}
		if name != want[i] {
			return fmt.Errorf("the features are in another order than the saved model's: name them in its order (data.features: [%s])", strings.Join(want, ", "))
		}
	}
	for i, c := range m.Schema.Columns {
		if o := d.Schema.Columns[i]; o.Encoding != c.Encoding || !slices.Equal(o.Levels, c.Levels) {
			return fmt.Errorf("column %q is %s %v, in the saved model %s %v: say so in data.categorical", c.Name, o.Encoding, o.Levels, c.Encoding, c.Levels)
		}
	}
	if d.Missing.Policy == "mean" && !m.ImputeMeans {
		return fmt.Errorf("missing values are filled with the mean, but the saved model takes none: set data.missing to error or drop")
	}
	return nil
}
