package registry

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/interval"
)

// Param is a parameter of a registered value, and the key train.NAME of config.yaml.
type Param[T any] struct {
	Name   string             // of the key, which no other parameter has, e.g. "huber_delta"
	Doc    string             // what it means, for people
	Limits *interval.Interval // of the number, or of each in the list

	// Default is the value where none is given. A List is one or more ascending numbers, which have to be given: its
	// Default is the example in messages.
	Default []float64
	List    bool

	// Set returns v with a value of the parameter, one number except for a List.
	Set func(v T, value []float64) T

	Of string // name of the registered value; Register sets it
}

// Values are parameters by name. A parameter that is absent has its default.
type Values map[string][]float64

// Set sets a parameter; no value removes it. Copies of the values that were made before keep theirs.
func (v *Values) Set(name string, value ...float64) {
	changed := maps.Clone(*v)
	if changed == nil {
		changed = Values{}
	}
	if changed[name] = slices.Clone(value); value == nil {
		delete(changed, name)
	}
	*v = changed
}

// Parametric is a registry of values with parameters.
type Parametric[T interface{ Name() string }] struct {
	*Registry[T]
	params map[string][]Param[T] // by the name of the value
}

// NewParametric returns an empty registry, see [New].
func NewParametric[T interface{ Name() string }](pkg, kind string) Parametric[T] {
	return Parametric[T]{New[T](pkg, kind), map[string][]Param[T]{}}
}

// Register adds a value with its parameters. It panics as Registry.Register does, and if the name of a parameter is
// registered already.
func (r Parametric[T]) Register(v T, params ...Param[T]) {
	for i, p := range params {
		if slices.ContainsFunc(r.Params(), func(other Param[T]) bool { return other.Name == p.Name }) {
			panic(fmt.Sprintf("%s: parameter %q is registered twice", r.pkg, p.Name))
		}
		params[i].Of = v.Name()
	}
	r.Registry.Register(v)
	r.params[v.Name()] = params
}

// Params returns the parameters of all values, in the order of the values' names.
func (r Parametric[T]) Params() (all []Param[T]) {
	for _, name := range r.Names() {
		all = append(all, r.params[name]...)
	}
	return all
}

// With returns the value registered under name with the given parameters, the others at their defaults.
func (r Parametric[T]) With(name string, values Values) (T, error) {
	v, err := r.Lookup(name)
	for _, p := range r.params[name] {
		value, ok := values[p.Name]
		if !ok {
			value = p.Default
		}
		v = p.Set(v, value)
	}
	return v, err
}
