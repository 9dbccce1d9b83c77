package table

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/series"
)

// Schema is what a table must look like: its input columns in the order of the features, and its targets.
type Schema struct {
	Columns    []Column `json:"columns"`
	Target     string   `json:"target"`
	TargetUnit string   `json:"target_unit,omitempty"`
	Classes    []string `json:"classes,omitempty"` // [K] of the target in order, K >= 2; none: the target is a number
	Others     []Other  `json:"others,omitempty"`  // [C-1] further targets, numbers; none where the target has classes
	NA         NA       `json:"na,omitempty"`      // texts that mark missing values
	Weight     string   `json:"weight,omitempty"`  // the column of sample weights in tables to learn from or to measure on; none if empty
	Offset     Offset   `json:"offset,omitzero"`   // what the target is a rate of

	Time *series.Spec `json:"time,omitempty"` // how the rows of a table of time stamps become samples; nil: they are samples
}

// Offset makes the target a rate: the cell of its column over the exposure of the row, with the weight exposure^(2-Power). For a loss whose
// variance grows with the mean to this power, see [loss.Varying], and the log link, this is the target with the offset log(exposure) in the
// output of each rule. Predictions are rates; those of a table are multiplied by the exposures of its rows.
type Offset struct {
	Column string  `json:"column"` // of exposures, above 0; it is no feature
	Power  float64 `json:"power"`
}

// unit returns the unit of the rate.
func (o Offset) unit(units map[string]string, target string) string {
	if o.Column == "" {
		return units[target]
	}
	return strings.TrimSpace(units[target] + " per " + cmp.Or(units[o.Column], o.Column))
}

// weight returns the weight of a row.
func (o Offset) weight(exposure float64) float64 { return math.Pow(exposure, 2-o.Power) }

// Parts returns the parts of all columns, see [Column.Parts]: the features of one follow those of the part before.
func (s Schema) Parts() (all []Column) {
	for _, c := range s.Columns {
		all = append(all, c.Parts()...)
	}
	return all
}

// Features returns the names of the M encoded features in order, see [Column.Features].
func (s Schema) Features() []string {
	names := make([]string, 0, len(s.Columns))
	for _, c := range s.Columns {
		names = append(names, c.Features()...)
	}
	return names
}

// Validate checks a schema that came from elsewhere, a model file say: at least one column; names present, valid
// UTF-8, without blanks around them and unique, targets and encoded features included; known encodings; levels
// where the encoding has them and only there, present, unique and none that reads as a missing value; classes like
// levels, from 2 to 1000 of them, and then no further targets.
func (s Schema) Validate() error {
	if len(s.Columns) == 0 {
		return fmt.Errorf("data: schema: no columns")
	}
	seen := map[string]bool{}
	if err := s.validateTargets(seen); err != nil {
		return fmt.Errorf("data: schema: %w", err)
	}
	if s.Time != nil {
		if err := s.Time.Validate(s.Target); err != nil {
			return fmt.Errorf("data: schema: time: %w", err)
		}
	}
	names := maps.Clone(seen) // of targets and features
	if s.Weight != "" {
		if err := checkName(s.Weight); err != nil {
			return fmt.Errorf("data: schema: weight: %w", err)
		}
		if seen[s.Weight] {
			return fmt.Errorf("data: schema: weight: %s is the target", escape.Quote(s.Weight))
		}
		seen[s.Weight] = true
	}
	if o := s.Offset; o != (Offset{}) {
		if err := checkName(o.Column); err != nil {
			return fmt.Errorf("data: schema: offset: %w", err)
		}
		if seen[o.Column] || s.Weight != "" || s.Classes != nil || s.Others != nil || !(o.Power >= 0 && o.Power <= 2) {
			return fmt.Errorf("data: schema: offset: %s of power %v: must be a column of its own, for one target of numbers without weights, "+
				"and a power from 0 to 2", escape.Quote(o.Column), o.Power)
		}
		seen[o.Column] = true
	}
	if err := s.NA.validate(); err != nil {
		return fmt.Errorf("data: schema: na: %w", err)
	}
	for i, c := range s.Columns {
		if err := c.validate(s.NA.of(c.Name)); err != nil {
			return fmt.Errorf("data: schema: columns[%d]: %w", i, err)
		}
		if seen[c.Name] {
			return fmt.Errorf("data: schema: columns[%d]: the name %s is used twice", i, escape.Quote(c.Name))
		}
		seen[c.Name] = true
	}
	for _, name := range s.Features() {
		if names[name] {
			return fmt.Errorf("data: schema: the feature name %s is used twice: rename a column", escape.Quote(name))
		}
		names[name] = true
	}
	return nil
}

func (c Column) validate(na *markers) error {
	if err := checkName(c.Name); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	if !slices.Contains(Encodings(), c.Encoding) {
		return fmt.Errorf("%s: encoding %s: want %s", escape.Quote(c.Name), escape.Quote(string(c.Encoding)), wantedEncoding())
	}
	if c.Numbers() && len(c.Levels) > 0 {
		return fmt.Errorf("%s is numeric and has levels", escape.Quote(c.Name))
	}
	if c.Limits != nil {
		if !c.Numbers() {
			return fmt.Errorf("%s is %s and has limits", escape.Quote(c.Name), c.Encoding)
		}
		if err := c.Limits.validate(c.Name); err != nil {
			return err
		}
	}
	if !c.Numbers() && len(c.Levels) == 0 {
		return fmt.Errorf("%s is %s and has no levels", escape.Quote(c.Name), c.Encoding)
	}
	levels := c.Levels
	if at := slices.Index(levels, MissingLevel); c.Missing && at >= 0 { // whatever marks missing values
		levels = slices.Delete(slices.Clone(levels), at, at+1)
	} else if c.Missing && !c.Numbers() {
		return fmt.Errorf("%s: missing cells are a level, but there is no level %s", escape.Quote(c.Name), MissingLevel)
	}
	if err := checkLevels("level", levels, na); err != nil {
		return fmt.Errorf("%s: %w", escape.Quote(c.Name), err)
	}
	return nil
}

// checkLevels refuses levels, or classes, that no cell could ever be read as.
func checkLevels(noun string, levels []string, na *markers) error {
	seen := make(map[string]bool, len(levels))
	for _, level := range levels {
		if IsMissing(level) || na.text(level) {
			return fmt.Errorf("%s %s reads as a missing value", noun, escape.Quote(level))
		}
		if err := checkName(level); err != nil {
			return fmt.Errorf("%s: %w", noun, err)
		}
		if seen[level] {
			return fmt.Errorf("%s %s is given twice", noun, escape.Quote(level))
		}
		seen[level] = true
	}
	return nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("the name is empty")
	case !utf8.ValidString(name):
		return fmt.Errorf("%s is not valid UTF-8", escape.Quote(name))
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("%s has blanks around it", escape.Quote(name))
	}
	return nil
}

// Other is a further target of a Schema.
type Other struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

const (
	MaxClasses = 1000 // of a target
	MaxTargets = 100
)

// Targets returns the names of all C targets.
func (s Schema) Targets() []string {
	names := []string{s.Target}
	for _, o := range s.Others {
		names = append(names, o.Name)
	}
	return names
}

// Class returns the index of the class that a trimmed cell names: the class of that text or, where all classes are numbers,
// of that number ("1.0" and "01" are "1").
func (s Schema) Class(cell string) (index int, ok bool) {
	if index = slices.Index(s.Classes, cell); index >= 0 || !allNumbers(s.Classes) {
		return index, index >= 0
	}
	v, ok := ParseNumber(cell)
	if ok {
		index = slices.Index(s.Classes, className(v))
	}
	return index, index >= 0
}

// className is the name of a class that is a number.
func className(v float64) string {
	return strconv.FormatFloat(v+0, 'f', -1, 64) // -0 + 0 is 0
}

// allNumbers reports whether all classes are numbers.
func allNumbers(classes []string) bool {
	return !slices.ContainsFunc(classes, func(class string) bool {
		_, ok := ParseNumber(class)
		return !ok
	})
}

// validateTargets checks targets and classes, and adds the names of the targets to seen.
func (s Schema) validateTargets(seen map[string]bool) error {
	if n := 1 + len(s.Others); n > MaxTargets {
		return fmt.Errorf("%d targets: at most %d", n, MaxTargets)
	}
	for _, name := range s.Targets() {
		if err := checkName(name); err != nil {
			return fmt.Errorf("target: %w", err)
		}
		if seen[name] {
			return fmt.Errorf("target: %s is given twice", escape.Quote(name))
		}
		seen[name] = true
	}
	switch k := len(s.Classes); {
	case k == 0:
		return nil
	case len(s.Others) > 0:
		return fmt.Errorf("a target of classes and further targets: classes are predicted alone")
	case k < 2 || k > MaxClasses:
		return fmt.Errorf("classes: %d of them: want 2 to %d", k, MaxClasses)
	}
	na := s.NA.of(s.Target)
	if err := checkLevels("class", s.Classes, na); err != nil {
		return fmt.Errorf("classes: %w", err)
	}
	numbers := allNumbers(s.Classes)
	for _, class := range s.Classes {
		switch v, number := ParseNumber(class); {
		case number && na.number(v):
			return fmt.Errorf("classes: class %s reads as a missing value", escape.Quote(class))
		case numbers && class != className(v):
			return fmt.Errorf("classes: class %s: write the number as %s", escape.Quote(class), className(v))
		}
	}
	return nil
}

// NA lists texts that mark a missing value as blank cells do, by column; those of "*" do in all columns. In a numeric
// column a text that is a number marks that number however it is written: "-200" also -200.0.
type NA map[string][]string

const allColumns = "*"

// validate checks the texts.
func (na NA) validate() error {
	for _, column := range slices.Sorted(maps.Keys(na)) {
		for _, text := range na[column] {
			if err := checkName(text); err != nil {
				return fmt.Errorf("%s: a text that marks missing values: %w", escape.Quote(column), err)
			}
		}
	}
	return nil
}

// columns are the columns that are named.
func (na NA) columns() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(na)), func(name string) bool { return name == allColumns })
}

// of returns what marks missing values in a column; nil: nothing does.
func (na NA) of(column string) *markers {
	texts := slices.Concat(na[column], na[allColumns])
	if len(texts) == 0 {
		return nil
	}
	m := &markers{texts: texts}
	for _, text := range texts {
		v, ok := ParseNumber(text)
		if !ok {
			v, ok = ParseComma(text)
		}
		if ok {
			m.numbers = append(m.numbers, v)
		}
	}
	return m
}

// Marks returns the texts, sorted and without repetitions, and the numbers that mark a missing value in a column.
func (na NA) Marks(column string) (texts []string, numbers []float64) {
	m := na.of(column)
	if m == nil {
		return nil, nil
	}
	slices.Sort(m.texts)
	return slices.Compact(m.texts), m.numbers
}

// markers mark the missing values of a column; nil marks none.
type markers struct {
	texts   []string
	numbers []float64
}

func (m *markers) text(cell string) bool { return m != nil && slices.Contains(m.texts, cell) }

// numberOf reports whether a cell is a number that is marked.
func (m *markers) numberOf(cell string) bool {
	v, ok := ParseNumber(cell)
	return ok && m.number(v)
}

func (m *markers) number(v float64) bool { return m != nil && slices.Contains(m.numbers, v) }
