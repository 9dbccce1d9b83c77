package table

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/series"
)

// Options sets how a table is read. Names are those of its header. The zero value of each field is its default;
// only Target is required. Unknown names and contradictory fields are errors.
type Options struct {
	Target string   // the column to predict
	Others []string // further columns to predict with the same model, numeric
	Query  string   // of a database: one SELECT; to divide its rows into parts it needs ORDER BY
	// auto (default: a target of words is one of classes), regression, or classification: the target's words, or whole
	// numbers, are classes
	Task        string
	Features    []string // the input columns in this order; empty: all that no other field names, in table order
	Ignore      []string // columns left out
	Weight      string   // the column of sample weights: finite, >= 0, of positive sum; rows of weight zero are not read
	Offset      Offset   // the column of exposures, which the target is a rate of; not a feature
	Group       string   // the column of groups: rows with equal cells stay in one part; not a feature
	SplitColumn string   // the column whose cells say train, validation or test, for Split{Kind: "column"}; Source sets it
	Delimiter   string   // auto (default: the most frequent of the three in the header), comma, semicolon or tab
	Missing     string   // error (default), drop, mean or own, see the package comment
	NA          NA       // texts that mark missing cells besides blank, NA and the like, in features, target and weights
	Lenient     bool     // for ReadAs: see ReaderOptions
	Run         bool     // the table is a file of a run, which others may write to: it must be a regular file and no link

	Categorical   map[string]Coding // how columns are coded; other columns are inferred
	NoCategorical bool              // nothing is inferred: a column not in Categorical must be numeric

	Units map[string]string // units by column, the target's too

	Limits map[string]*Limits // of columns of numbers: cells beyond count as the limit

	Time *series.Spec // how the rows of a table of time stamps become samples; nil: they are samples

	Memory  int64  // bytes of memory for the rows of a table of more than SampleRows rows; 0: 1 GiB
	Scratch string // directory of the scratch file that holds such rows beyond half of Memory; empty: that of temporary files

	TestBlanks bool // under Missing error, missing features are an error in the training and validation parts only; Source sets it
}

// Coding sets how the cells of a column become features. Levels, for an encoding with an order only, gives the order of the levels;
// any other cell is an error. Without it levels are sorted: numbers by value, then texts.
type Coding struct {
	Encoding Encoding
	Levels   []string
}

// NewCoding returns the coding of levels, those of the table for nil, with or without an order.
func NewCoding(levels []string, ordered bool) Coding {
	if ordered {
		return Coding{Encoding: Ordinal, Levels: levels}
	}
	return Coding{Encoding: OneHot, Levels: levels}
}

const (
	MissingError = "error"
	missingDrop  = "drop"
	MissingMean  = "mean"
	MissingOwn   = "own"
)

// Validate checks what can be checked without the table. The error joins all faults, each a *KeyError.
func (o Options) Validate() error {
	faults := []error{CheckReading(o.Delimiter, o.Missing), checkOrder(o.Query), o.ValidateTask(), o.validateOffset()}
	fail := func(fault *KeyError) { faults = append(faults, fault) }
	role := map[string]string{}
	for _, u := range o.roles() {
		for _, name := range u.names {
			if other, taken := role[name]; taken && other == u.key {
				fail(KeyFault("data."+u.key, "column %s is given twice", escape.Quote(name)))
			} else if taken {
				fail(KeyFault("data."+u.key, "column %s is already named by data.%s", escape.Quote(name), other).RestingOn("data." + other))
			} else if name == "" && u.key == "target" {
				fail(KeyFault("data.target", "name the column to predict"))
			} else {
				role[name] = u.key
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Categorical)) {
		switch key, named := role[name]; {
		case named && key != "features":
			fail(KeyFault("data.categorical", "column %s is not a feature: data.%s names it", escape.Quote(name), key).RestingOn("data." + key))
		case !named && len(o.Features) > 0:
			fail(KeyFault("data.categorical", "column %s is not in data.features", escape.Quote(name)).RestingOn("data.features"))
		}
		if err := o.Categorical[name].validate(o.NA.of(name)); err != nil {
			fail(KeyFault("data.categorical", "column %s: %v", escape.Quote(name), err))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Limits)) {
		if key, named := role[name]; named && key != "features" {
			fail(KeyFault("data.limits", "column %s is not a feature: data.%s names it", escape.Quote(name), key).RestingOn("data." + key))
		} else if !named && len(o.Features) > 0 {
			fail(KeyFault("data.limits", "column %s is not in data.features", escape.Quote(name)).RestingOn("data.features"))
		}
		if coding, coded := o.Categorical[name]; coded && coding.Encoding != Numeric {
			fail(KeyFault("data.limits", "column %s is %s, and not numbers", escape.Quote(name), coding.Encoding).RestingOn("data.categorical"))
		}
		if err := o.Limits[name].validate(name); err != nil {
			fail(KeyFault("data.limits", "%v", err))
		}
	}
	if err := o.NA.validate(); err != nil {
		fail(KeyFault("data.na", "%v", err))
	}
	for _, name := range o.NA.columns() {
		switch key, named := role[name]; {
		case named && key != "features" && key != "target" && key != "weight" && key != "offset":
			fail(KeyFault("data.na", "column %s is named by data.%s, and its cells are never missing", escape.Quote(name),
				key).RestingOn("data." + key))
		case !named && len(o.Features) > 0:
			fail(KeyFault("data.na", "column %s is not in data.features", escape.Quote(name)).RestingOn("data.features"))
		}
	}
	return errors.Join(faults...)
}

func (c Coding) validate(na *markers) error {
	if !slices.Contains(Encodings(), c.Encoding) {
		return fmt.Errorf("coding %s: want %s", escape.Quote(string(c.Encoding)), wantedEncoding())
	}
	if c.Encoding != Ordinal && len(c.Levels) > 0 {
		return fmt.Errorf("levels apply to ordinal coding only")
	}
	return checkLevels("level", c.Levels, na)
}

// Input is the table at path, read with these options.
func (o Options) Input(path string) Input { return Input{Name: path, Query: o.Query, Run: o.Run} }

// CheckReading checks the options that every reader has.
func CheckReading(delimiter, missing string) error {
	if _, ok := Delimiters[delimiter]; !ok {
		return KeyFault("data.delimiter", "%s: want auto, comma, semicolon or tab", escape.Quote(delimiter))
	}
	switch missing {
	case "", MissingError, missingDrop, MissingMean, MissingOwn:
		return nil
	}
	return KeyFault("data.missing", "%s: want error, drop, mean or own", escape.Quote(missing))
}

// Rows applies the options to the header of a table.
func (o Options) Rows(t *Cursor) (*Rows, error) {
	if err := o.checkNames(t); err != nil {
		return nil, err
	}
	r := newRows(t, o.Missing)
	if o.TestBlanks && r.Missing.Policy == MissingError {
		r.Late = map[int]*Error{}
	}
	r.Targets = o.targets(t)
	if o.Weight != "" {
		r.Weight = numericColumn(o.Weight, t.index[o.Weight], o.NA.of(o.Weight))
	}
	if of := o.Offset.Column; of != "" {
		r.expose(o.Offset, numericColumn(of, t.index[of], o.NA.of(of)))
	}
	if o.Group != "" {
		r.Group, r.Groups = t.index[o.Group], map[string]int{}
	}
	if o.SplitColumn != "" {
		r.Split = t.index[o.SplitColumn]
	}
	features := o.Features
	if len(features) == 0 {
		other := slices.Concat([]string{o.Target, o.Weight, o.Offset.Column, o.Group, o.SplitColumn}, o.Others, o.Ignore)
		taken := make(map[string]bool, len(other))
		for _, name := range other {
			taken[name] = true
		}
		for _, name := range t.Header.Names {
			if !taken[name] {
				features = append(features, name)
			}
		}
	}
	if len(features) == 0 {
		return nil, t.headerFault("no input column is left: name some in data.features, or ignore fewer")
	}
	for _, name := range features {
		c := &Coder{Column: Column{Name: name, Unit: o.Units[name]}, At: t.index[name], na: o.NA.of(name)}
		if limits, limited := o.Limits[name]; limited {
			c.Limits = limits
		}
		if coding, ok := o.Categorical[name]; ok {
			c.code(coding.Encoding, coding.Levels)
		} else if o.NoCategorical {
			c.code(Numeric, nil)
		}
		c.Own = o.Missing == MissingOwn && (c.Encoding != Ordinal || slices.Contains(c.Levels, MissingLevel))
		r.Features = append(r.Features, c)
	}
	r.Raw = make([]float64, len(features))
	return r, nil
}

// checkNames refuses names that the table does not have.
func (o Options) checkNames(t *Cursor) error {
	also := []use{{"categorical", slices.Sorted(maps.Keys(o.Categorical))}, {"units", slices.Sorted(maps.Keys(o.Units))},
		{"na", o.NA.columns()}, {"limits", slices.Sorted(maps.Keys(o.Limits))}}
	for _, u := range append(o.roles(), also...) {
		for _, name := range u.names {
			if _, ok := t.index[name]; !ok {
				return t.unknown("data."+u.key, strings.TrimSpace(name))
			}
		}
	}
	return nil
}

// use is a key that names columns.
type use struct {
	key   string
	names []string
}

// roles lists the keys that give a column its only role.
func (o Options) roles() []use {
	return []use{
		{"target", o.Targets()}, {"weight", some(o.Weight)}, {"offset", some(o.Offset.Column)}, {"group", some(o.Group)},
		{"split_column", some(o.SplitColumn)}, {"features", o.Features}, {"ignore", o.Ignore},
	}
}

// some is a list of the name, if there is one.
func some(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

const (
	TaskAuto           = "auto"
	TaskRegression     = "regression"
	TaskClassification = "classification"
)

// Tasks returns the values of Options.Task.
func Tasks() []string { return []string{TaskAuto, TaskRegression, TaskClassification} }

// Targets returns the names of all columns to predict.
func (o Options) Targets() []string { return slices.Concat([]string{o.Target}, o.Others) }

// ValidateTask checks the task, and that it fits the number of targets.
func (o Options) ValidateTask() error {
	switch {
	case o.Task != "" && !slices.Contains(Tasks(), o.Task):
		return KeyFault("task", "%s: want auto, regression or classification", escape.Quote(o.Task))
	case o.Task == TaskClassification && len(o.Others) > 0:
		return KeyFault("task",
			"classification of %d targets: classes are predicted of one target: name one in data.target, or set task to regression for targets "+
				"of numbers", 1+len(o.Others)).RestingOn("data.target")
	case len(o.Others) >= MaxTargets:
		return KeyFault("data.target", "%d targets: at most %d", 1+len(o.Others), MaxTargets)
	}
	return nil
}

// validateOffset checks that the target can be a rate.
func (o Options) validateOffset() error {
	fault := func(message, key string) error {
		return KeyFault("data.offset", "%s: %s", escape.Quote(o.Offset.Column), message).RestingOn(key)
	}
	switch {
	case o.Offset.Column == "":
		return nil
	case o.Weight != "":
		return fault("rows have weights by their exposure, and no others: leave out data.weight", "data.weight")
	case len(o.Others) > 0:
		return fault("is the exposure of one target: name one in data.target", "data.target")
	case o.Task == TaskClassification:
		return fault("classes have no exposure: set task to regression", "task")
	}
	return nil
}

// targets are the columns to predict. One may be of classes; several are numbers.
func (o Options) targets(t *Cursor) (all []*Coder) {
	for _, name := range o.Targets() {
		all = append(all, numericColumn(name, t.index[name], o.NA.of(name)))
	}
	if len(all) > 1 || o.Offset.Column != "" {
		return all
	}
	switch target := all[0]; o.Task {
	case TaskClassification:
		target.class = true
		target.code(OneHot, nil)
	case TaskRegression:
		target.class = true
	default: // the first cell decides
		target.class, target.Encoding = true, ""
	}
	return all
}

// KnownExposure finds the exposures of a schema in a table; nil without an offset.
func KnownExposure(t *Cursor, s Schema) (*Coder, error) {
	of := s.Offset.Column
	if of == "" {
		return nil, nil
	}
	at, err := t.find("the exposure", of)
	if err != nil {
		return nil, err
	}
	return s.number(of, at), nil
}

// KnownTargets finds the targets of a schema in a table.
func KnownTargets(t *Cursor, s Schema) (all []*Coder, err error) {
	for i, name := range s.Targets() {
		at, err := t.find("the target", name)
		if err != nil {
			return nil, err
		}
		c := s.number(name, at)
		if i == 0 && s.Classes != nil {
			c.class = true
			c.code(OneHot, s.Classes)
		}
		all = append(all, c)
	}
	return all, nil
}
