package recipe

import (
	"reflect"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Key is a row of the table of keys: all there is to know of one value of a recipe.
type Key struct {
	Name    string // as config.yaml names it, e.g. train.batch
	Doc     string // what it means, its unit, its choices
	Label   string // in tables; empty: its own name with spaces
	Example string // the value in the template of config.yaml where the default says nothing

	Limits    *interval.Interval // of a number; nil: none
	Choices   []string           // of a text; nil: any
	OrModel   bool               // a text that names the file of a saved model serves as well
	ZeroWhere func(*Recipe) bool // where zero serves, whatever Limits says; nil: nowhere

	// Field points to the value: *string, *int, *uint64, *float64, *bool, SolverOption,
	// *Margin, **Bounds, *membership.Function or *[]Setting.
	Field func(*Recipe) any

	// Shown reports whether the key has an effect, so that a resolved configuration shows
	// it; Kept, whether a model file keeps it. Nil: always.
	Shown, Kept func(*Recipe) bool

	Race bool  // a setting of a race may set it
	Draw *Draw // how a search draws it; nil: not
}

// Own returns the name of the key within its section, which no other key that a race sets
// or a search draws has.
func (k Key) Own() string {
	_, own, _ := strings.Cut(k.Name, ".")
	return own
}

// Heading returns the label of the key.
func (k Key) Heading() string {
	if k.Label != "" {
		return k.Label
	}
	return strings.ReplaceAll(k.Own(), "_", " ")
}

// Value returns the value of the key, that of its field.
func (k Key) Value(r *Recipe) any { return FieldValue(k.Field(r)) }

// FieldValue returns the value of a field of [Key]: of a SolverOption a float64, else what
// the field points to.
func FieldValue(field any) any {
	if o, ok := field.(SolverOption); ok {
		return o.Get()
	}
	return reflect.ValueOf(field).Elem().Interface()
}

// Put sets the key to a value as [Key.Value] returns it, or to what the text of another one
// stands for: 1 serves for 1.0, the name of a shape for the shape.
func (k Key) Put(r *Recipe, value any) error {
	if shape, ok := k.Field(r).(*membership.Function); ok {
		if f, ok := value.(membership.Function); ok {
			*shape = f
			return nil
		}
	}
	return parse(k.Field(r), Text(value))
}

var table = slices.Concat(dataKeys, modelKeys, raceSection, trainKeys, solverKeys(), rateKeys, pruneKeys)

// Keys returns the table, in the order of config.yaml.
func Keys() []Key { return slices.Clone(table) }

// RaceKeys returns the keys that a setting of a race may set, in the order of the table.
func RaceKeys() []Key {
	return slices.DeleteFunc(Keys(), func(k Key) bool { return !k.Race })
}

// Lookup returns the row of a key.
func Lookup(name string) (Key, bool) {
	i := slices.IndexFunc(table, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return table[i], true
}

// raceKey returns the key that a setting of a race names by its own name.
func raceKey(own string) (Key, bool) {
	i := slices.IndexFunc(table, func(k Key) bool { return k.Race && k.Own() == own })
	if i < 0 {
		return Key{}, false
	}
	return table[i], true
}
