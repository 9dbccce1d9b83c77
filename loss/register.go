package loss

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/interval"
)

// Param is a parameter of a loss, and the key train.NAME of config.yaml.
type Param struct {
	Name   string             // of the key, which no other loss has, e.g. "huber_delta"
	Doc    string             // what it means, for people
	Limits *interval.Interval // of the number, or of each in the list

	// Default is the value where none is given. A List is one or more ascending numbers, which have to be given: its
	// Default is the example in messages.
	Default []float64
	List    bool

	// Set returns the loss with a value of the parameter, one number but for a List.
	Set func(l Loss, v []float64) Loss

	Loss string // name of the loss; Register sets it
}

// Values are parameters of losses by name. A parameter that is absent has its default.
type Values map[string][]float64

// Set sets a parameter; nil removes it. Copies of the values that were made before keep theirs.
func (v *Values) Set(name string, value []float64) {
	changed := maps.Clone(*v)
	if changed == nil {
		changed = Values{}
	}
	if changed[name] = slices.Clone(value); value == nil {
		delete(changed, name)
	}
	*v = changed
}

// registered is a loss, its parameters at their defaults.
type registered struct {
	Loss
	params []Param
}

var known = registry.New[registered]("loss", "loss")

// Register registers a loss by its name with its parameters, in the init function of the loss's file. It panics if the
// name of the loss or of a parameter is registered already.
func Register(l Loss, params ...Param) {
	for i, p := range params {
		if slices.ContainsFunc(Params(), func(other Param) bool { return other.Name == p.Name }) {
			panic(fmt.Sprintf("loss: parameter %q is registered twice", p.Name))
		}
		params[i].Loss = l.Name()
		l = p.Set(l, p.Default)
	}
	known.Register(registered{l, params})
}

// Params returns the parameters of all losses, in the order of the losses' names.
func Params() (all []Param) {
	for _, r := range known.All() {
		all = append(all, r.params...)
	}
	return all
}

// Lookup returns the loss registered under name, its parameters at their defaults.
func Lookup(name string) (Loss, error) { return With(name, nil) }

// With returns the loss registered under name with values of its parameters; those of other losses are ignored.
func With(name string, v Values) (Loss, error) {
	r, err := known.Lookup(name)
	if err != nil {
		return nil, err
	}
	l := r.Loss
	for _, p := range r.params {
		if value, ok := v[p.Name]; ok {
			l = p.Set(l, value)
		}
	}
	return l, nil
}

// Names returns the names of all losses, sorted.
func Names() []string { return known.Names() }

// All returns all losses, sorted by name.
func All() (all []Loss) {
	for _, r := range known.All() {
		all = append(all, r.Loss)
	}
	return all
}
