package config

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// InitOptions are what Init does not find out by itself. The zero value leaves all to it but the preset.
type InitOptions struct {
	Preset  string            // one of [recipe.Presets]
	Targets []string          // none: the last column that can be one
	Ignore  *[]string         // the columns to leave out; nil: those of which nothing can be learned
	Units   map[string]string // by column

	FromRules bool // training starts with rules of a file: their number is not chosen
}

// Initial is a configuration for a table.
type Initial struct {
	Targets  []string
	Guessed  bool     // the only target is the last column that can be one
	Notes    []string // what was found in the table and what the configuration does about it
	Warnings []string // those of the notes that ask for a decision
	Rows     int
	Inputs   int      // columns that are used
	Columns  []Column // in the order of the table
	YAML     []byte
}

// Column is a column of a table, and what a configuration does with it.
type Column struct {
	data.Profile
	Target, Ignored bool
	Why             string // why it is left out, or how it is read if it is not one of numbers; may be empty
}

// Numeric reports whether all that is there are numbers that can be read.
func (c Column) Numeric() bool { return numeric(c.Profile) }

// Init looks at a table and makes a configuration for it: the targets, whether they are
// numbers or classes, columns to leave out, how missing cells and words are read, and a number of rules that suits the number of
// rows; preset readable keeps its own, which is a limit. A table of which nothing can be learned is a *data.Error.
func Init(table data.Input, o InitOptions) (*Initial, error) {
	if _, err := recipe.Preset(o.Preset); err != nil {
		return nil, err
	}
	survey, err := data.LookAt(table, "auto")
	if err != nil {
		return nil, err
	}
	s := starter{path: table.Name, survey: survey, draft: newDraft(o.Preset), chosen: o.Ignore, why: map[string]string{}}
	s.config.Data.Path, s.config.Data.Query = table.Name, table.Query
	s.remark("data.path", remark{set: true})
	if table.Query != "" {
		s.remark("data.query", remark{set: true})
	}
	marked := findMarkers(survey)
	if err := chooseTargets(&s, o.Targets); err != nil {
		return nil, err
	}
	if err := s.checkIgnored(); err != nil {
		return nil, err
	}
	if survey.Nameless > 0 {
		s.note("%s without a name left out", count(survey.Nameless, "column", "columns"))
	}
	s.chooseColumns()
	if s.inputs == 0 {
		return nil, &data.Error{File: s.path, Message: strings.TrimSuffix("no column is left to learn from: "+strings.Join(s.notes, "; "), ": ")}
	}
	s.noteCommas()
	s.chooseNA(marked)
	s.chooseMissing()
	if len(o.Units) > 0 {
		s.config.Data.Units = o.Units
		s.remark("data.units", remark{set: true})
	}
	chooseFromRows(&s)
	if s.config.Preset != recipe.Readable().Preset && !o.FromRules {
		s.chooseSizes()
	}
	if err := s.config.Data.Options.Validate(); err != nil {
		return nil, err
	}
	return s.initial(len(o.Targets) == 0), nil
}

// initial returns the configuration with what was found.
func (s *starter) initial(guessed bool) *Initial {
	head := fmt.Sprintf("# Configuration of tskgraph for %q: %d rows, %d input columns. Keys that are comments show their default.\n",
		s.path, s.survey.Rows, s.inputs)
	made := &Initial{
		Targets: s.config.Data.Targets(), Guessed: guessed, Notes: s.notes, Warnings: s.warnings, Rows: s.survey.Rows, Inputs: s.inputs,
		YAML: s.config.template(head, s.remarks),
	}
	_, used := s.used()
	made.Columns = make([]Column, len(s.survey.Columns))
	for i, p := range s.survey.Columns {
		made.Columns[i] = Column{p, slices.Contains(made.Targets, p.Name), !used[p.Name], s.why[p.Name]}
	}
	return made
}

// starter chooses the values of a configuration for a table.
type starter struct {
	*draft
	path   string
	survey *data.Survey
	chosen *[]string         // columns to leave out; nil: s finds them
	why    map[string]string // see Column.Why

	found   findings // noted
	ignored findings // remarked with data.ignore

	codes   bool // the classes are numbers
	inputs  int  // columns
	missing int  // cells in these
}

// numeric reports whether all that is there are numbers that can be read.
func numeric(p data.Profile) bool {
	return p.Numbers > 0 && p.Numbers == p.Present() && p.Marks == nil
}

var (
	identifierName = regexp.MustCompile(`(?i)^(id|index|idx|row|row[ _.-]?(id|nr|no|num|number)|nr|no|number|uuid|guid|key|unnamed.*|` +
		`.*[ _.-](id|nr|no|idx|index|key|uuid))$`)
	camelID   = regexp.MustCompile(`[a-z](Id|ID)$`)
	groupName = regexp.MustCompile(`(?i)^((.*[ _.-])?id|(.*[ _.-])?(patient|subject|person|customer|user|` +
		`site|station|device|machine|vehicle|group|batch|household|school|plant|plot|animal))$`)
	timeName = regexp.MustCompile(`(?i)^((.*[ _.-])?(date|time|timestamp|datetime|year|month|week|day|hour|epoch|period)|t)$`)
)

// identifier returns why a column identifies rows and holds nothing else; empty if it does not.
func identifier(p data.Profile) string {
	named := identifierName.MatchString(p.Name) || camelID.MatchString(p.Name)
	switch {
	case p.Steps && !timeName.MatchString(p.Name) && p.Distinct > 2:
		return "counts the rows"
	case named && p.Unique() && (p.Integers || p.Numbers == 0) && p.Distinct > 2:
		return "an identifier"
	}
	return ""
}

// chooseSizes sets what the number of rows calls for. Whether rules mention all features is left to the race.
func (s *starter) chooseSizes() {
	train := 0.7 * float64(s.survey.Rows)
	rules := s.config.Recipe.Model.Rules
	for rules > 2 && float64(rules) > train/8 {
		rules /= 2
	}
	if rules != s.config.Recipe.Model.Rules {
		s.config.Recipe.Model.Rules = rules
		s.remark("model.rules", remark{set: true}, fmt.Sprintf("few, for some %.0f rows to train on", math.Round(train)))
	}
}

// draft is an unfinished configuration, with notes for the user and remarks on keys.
type draft struct {
	config  *Config
	remarks map[string]remark
	notes   []string

	warnings []string // of the notes, those that ask for a decision
}

func newDraft(preset string) *draft {
	return &draft{config: presetConfig(preset), remarks: map[string]remark{}}
}

func (d *draft) note(format string, a ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, a...))
}

// warn notes what asks for a decision.
func (d *draft) warn(format string, a ...any) {
	d.note(format, a...)
	d.warnings = append(d.warnings, d.notes[len(d.notes)-1])
}

// remark sets the remark on a key; the reasons of several columns add up, mostFound of them.
func (d *draft) remark(key string, r remark, why ...string) {
	switch r.why = append(d.remarks[key].why, why...); {
	case len(r.why) == mostFound+1:
		r.why[mostFound] = "and more columns for other reasons"
	case len(r.why) > mostFound:
		r.why = r.why[:mostFound+1]
	}
	d.remarks[key] = r
}

// findings is what was found of columns. Those of which the same is found are named together.
type findings struct {
	all []finding
	at  map[string]int // of a finding, by its text of many
}

type finding struct {
	names []string
	one   string // what is said after the name of a single column
	many  string // what is said of several; findings with the same text are one
}

// add adds what was found of a column.
func (f *findings) add(name, one, many string) {
	at, found := f.at[many]
	if !found {
		if f.at == nil {
			f.at = map[string]int{}
		}
		at = len(f.all)
		f.at[many], f.all = at, append(f.all, finding{one: one, many: many})
	}
	f.all[at].names = append(f.all[at].names, name)
}

// mostFound is how many findings are noted, and reasons given for the value of a key.
const mostFound = 12

// note notes what was found.
func (f findings) note(d *draft) {
	if more := len(f.all) - mostFound; more > 0 {
		defer d.note("and %s: see the configuration", count(more, "finding more", "findings more"))
		f.all = f.all[:mostFound]
	}
	for _, one := range f.all {
		if len(one.names) == 1 {
			d.note("%q%s", one.names[0], one.one)
		} else {
			d.note("%d columns %s: %s", len(one.names), one.many, escape.List(one.names))
		}
	}
}

// remark remarks on a key with what was found.
func (f findings) remark(d *draft, key string) {
	for _, one := range f.all {
		why := one.names[0] + one.one
		if len(one.names) > 1 {
			why = fmt.Sprintf("%s: %s", one.many, escape.List(one.names))
		}
		d.remark(key, remark{set: true}, why)
	}
}
