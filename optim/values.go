package optim

import "maps"

// Values are options of a solver by name, e.g. "learning_rate". An option that is absent or zero has the solver's default.
type Values map[string]float64

// Set sets an option; zero removes it. Copies of the values that were made before keep theirs.
func (v *Values) Set(name string, value float64) {
	changed := maps.Clone(*v)
	if changed == nil {
		changed = Values{}
	}
	if changed[name] = value; value == 0 {
		delete(changed, name)
	}
	*v = changed
}

// ValuesOf returns the values of all options of m.
func ValuesOf(m Method) Values {
	v := Values{}
	for _, o := range m.Options() {
		v[o.Name] = *o.Value
	}
	return v
}
