package recipe

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/interval"
)

// Key is a row of the table of keys and describes one value of a recipe.
type Key struct {
	Name    string // in config.yaml, e.g. train.batch
	Doc     string // meaning, unit and choices; empty in a row: the text of its name, see [Doc]
	Label   string // in tables; empty: Own with spaces
	Example string // value in the template of config.yaml if the default is not informative

	Limits    *interval.Interval // of a number, or of each of Numbers; nil: none
	Choices   []string           // of a text; nil: any
	OrModel   bool               // the path of a saved model is allowed as well
	ZeroWhere func(*Recipe) bool // reports whether zero is allowed despite Limits; nil: never

	Field func(*Recipe) Field // the value

	// Shown reports whether the key has an effect, so that a resolved configuration
	// contains it; Kept, whether a model file contains it. Nil: always.
	Shown, Kept func(*Recipe) bool

	Race bool  // settings of a race may contain it
	Draw *Draw // how a search draws it; nil: a search does not
}

// Own returns the name of the key within its section, which is unique among the keys of
// races and searches.
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

var table = registry.Cached(func() []Key {
	all := slices.Concat(dataKeys, ruleKeys(), modelKeys, raceSection, trainKeys(), solverKeys(), rateKeys, lossKeys(), slopeKeys,
		penaltyKeys(), updateKeys, pruneKeys)
	for i, k := range all {
		if k.Doc == "" {
			all[i].Doc = Doc(k.Name, nil)
		}
	}
	return all
})

//go:embed keys/*.txt
var textFiles embed.FS

// texts are the texts of the files in keys by key, those of section tune and of the data among them, and titles by key and colon.
var texts = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	files, _ := fs.Glob(textFiles, "keys/*.txt") // a valid pattern
	for _, file := range files {
		content, _ := textFiles.ReadFile(file) // embedded
		key := ""
		for line := range strings.Lines(string(content)) {
			switch text, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "  "); {
			case indented:
				all[key] = strings.TrimPrefix(all[key]+" "+text, " ")
			case !strings.HasPrefix(text, "#"):
				title := ""
				key, title, _ = strings.Cut(text, ": ")
				all[key+":"] = title
			}
		}
	}
	return all
})

// Doc returns the text of a key of config.yaml: its meaning, unit and choices. The names stand for {names} in it.
func Doc(key string, names []string) string {
	return strings.ReplaceAll(texts()[key], "{names}", strings.Join(names, ", "))
}

// Keys returns the table, in the order of config.yaml. Its choices are the shapes, t-norms, losses and
// optimizers that are registered now.
func Keys() []Key { return slices.Clone(table()) }

// RaceKeys returns the keys that a setting of a race may set, in the order of the table.
func RaceKeys() []Key { return slices.Clone(raceTable()) }

var raceTable = registry.Cached(func() []Key {
	return slices.DeleteFunc(Keys(), func(k Key) bool { return !k.Race })
})

// Lookup returns the row of a key.
func Lookup(name string) (Key, bool) {
	table := table()
	i := slices.IndexFunc(table, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return table[i], true
}

// Draw describes how a search draws values of a key. A key with Values or Factors has a
// list of values, which section tune of config.yaml replaces; the values of any other key
// come from the settings that the search starts from.
type Draw struct {
	Order int // of the keys in a search, from 1: it affects the draws of a seed and orders lists and columns

	Values  []any     // default list, extended by the value of the recipe
	Factors []float64 // otherwise the default list as multiples of the value of the recipe

	ZeroIsAll bool   // 0 means all, the highest value
	Along     string // own name of the key to which the ratio is kept
	Inherited bool   // a trial keeps the value of the settings that it was drawn near
	Start     bool   // the initial rules depend on the key

	Heading string // of its column in a short table of trials; empty: no column
}

// Listed reports whether the key has a list.
func (d Draw) Listed() bool { return d.Values != nil || d.Factors != nil }

// DrawnKeys returns the keys that a search draws, in the order of [Draw].
func DrawnKeys() []Key {
	drawn := slices.DeleteFunc(Keys(), func(k Key) bool { return k.Draw == nil })
	slices.SortStableFunc(drawn, func(a, b Key) int { return cmp.Compare(a.Draw.Order, b.Draw.Order) })
	return drawn
}
