package export

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
)

// Words are the rules in words, and what is proved of them: lines for the comments of a file, without line feeds.
func (f *Form) Words() []string {
	return append(strings.Split(strings.TrimRight(words.Model(f.Model).Sentences().Text, "\n"), "\n"), f.Promises...)
}

// Labelled returns a name with its unit, escaped.
func Labelled(name, unit string) string {
	if unit != "" {
		name += " [" + unit + "]"
	}
	return escape.Text(name)
}

// Kind returns how the cells of the column are read: numeric, ordinal or one-hot.
func (c Column) Kind() string {
	if c.Nominal() {
		return "one-hot"
	}
	return string(c.Encoding)
}

// About describes the column: its name, its unit, and the range of its numbers or, escaped, its levels.
func (c Column) About() string {
	if c.Numbers() {
		return fmt.Sprintf("%s: from %v to %v in training", Labelled(c.Name, c.Unit), c.Min, c.Max)
	}
	return Labelled(c.Name, c.Unit) + ": " + escape.List(c.Levels)
}

// About describes output j: its name, its unit, and the level of a quantile.
func (f *Form) About(j int) string {
	o := f.Outputs[j]
	switch f.Kind {
	case Classes:
		return "probability of " + escape.Text(o.Name)
	case Quantiles:
		return fmt.Sprintf("quantile %g of %s", o.Level, Labelled(o.Name, o.Unit))
	}
	return Labelled(o.Name, o.Unit)
}

// ColumnNames returns names of the columns that differ, made by identifier; OutputNames those of the outputs.
func (f *Form) ColumnNames(identifier func(name string, i int) string) (all []string) {
	taken := Names{}
	for i, c := range f.Columns {
		all = append(all, taken.Free(identifier(c.Name, i), Exact))
	}
	return all
}

// OutputNames returns names of the outputs that differ; that of a quantile has its level.
func (f *Form) OutputNames(identifier func(name string, j int) string) (all []string) {
	taken := Names{}
	for j, o := range f.Outputs {
		all = append(all, taken.Free(identifier(o.Key, j), Exact))
	}
	return all
}

// Names are taken names, by their key.
type Names map[string]bool

// Free returns a name whose key is not taken yet, with a number from 2 on if need be, and takes it.
func (n Names) Free(name string, key func(name string) string) string {
	free := name
	for k := 2; n[key(free)]; k++ {
		free = name + "_" + strconv.Itoa(k)
	}
	n[key(free)] = true
	return free
}

// Exact is the key of names that differ in upper and lower case, too.
func Exact(name string) string { return name }

// Formulas are those that some members have in common, as bodies of functions.
type Formulas struct {
	Suffix              string // of the names of the functions: empty for the first, then "_2" and so on
	Meaning             string // of Grade, such as "the grade of x: gaussian with the parameters p = (c, s)"
	TNorm, Defuzz       string
	Grade, Join, Weight string // of x and p; of a and b; of level, empty without
	Start               string // level of a rule without conditions
	Log                 bool   // levels are logarithms
	Parameters          int
}

// Formulas returns those of the members, and the index of its formulas for each member. body returns the body of a function.
func (f *Form) Formulas(body func(p *Program, arguments ...string) string) (all []Formulas, group []int) {
	kinds, group := formulas(f.Members)
	for i, m := range kinds {
		k := Formulas{TNorm: escape.Text(m.TNorm), Defuzz: escape.Text(m.Defuzz), Log: m.LogSpace, Parameters: m.Parameters,
			Start: fmt.Sprintf("%.1f", m.Start())}
		if i > 0 {
			k.Suffix = fmt.Sprintf("_%d", i+1)
		}
		params := List(m.Shape.Params(), func(p membership.Param) string { return p.Name })
		of := "grade"
		if m.LogSpace {
			of = "logarithm of the grade"
		}
		k.Meaning = escape.Text(fmt.Sprintf("the %s of x: %s with the parameters p = (%s)", of, m.Shape.Name(), params))
		k.Grade, k.Join = body(m.Grade, m.Arguments()...), body(m.Join, "a", "b")
		if m.Weight != nil {
			k.Weight = body(m.Weight, "level")
		}
		all = append(all, k)
	}
	return all, group
}
