package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// InitOptions are what Init does not find out by itself. The zero value leaves all to it but the preset.
type InitOptions struct {
	Preset  string            // one of [recipe.Presets]
	Targets []string          // none: the last column that can be one
	Ignore  *[]string         // the columns to leave out; nil: those of which nothing can be learned
	Units   map[string]string // by column, instead of those that names end in; an empty one is none

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

	Proposals []Proposal // what YAML has as comments, to take up
	Remedies  []Remedy   // these, and what may be set instead of what YAML sets
	config    *Config    // that YAML is
}

// Column is a column of a table, and what a configuration does with it.
type Column struct {
	data.Profile
	Target, Ignored bool
	Why             string // why it is left out, or how it is read if that is not obvious; may be empty
}

// OfNumbers reports whether all that is there are numbers that can be read.
func (c Column) OfNumbers() bool { return numeric(c.Profile) }

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
	s := starter{path: table.Name, table: table, survey: survey, chosen: o.Ignore, why: map[string]string{},
		outline: &outline{config: presetConfig(o.Preset), remarks: map[string]remark{}}}
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
	s.chooseUnits(o.Units)
	chooseFromRows(&s)
	if s.config.Preset != recipe.Readable().Preset && !o.FromRules {
		s.chooseSizes()
	}
	s.suggestStructure()
	if err := s.config.Data.Options.Validate(); err != nil {
		return nil, err
	}
	return s.initial(len(o.Targets) == 0), nil
}

// mostSuggested is the number of columns up to which roles and interactions are suggested by name.
const mostSuggested = 12

// suggestStructure writes the roles and the groups of the table's columns that say nothing yet, as comments to change.
func (s *starter) suggestStructure() {
	var names []string
	m := recipe.Roles{}
	columns, _ := s.used()
	for _, p := range columns {
		if !slices.Contains(s.config.Data.Targets(), p.Name) && p.Name != s.exposure {
			names, m[p.Name] = append(names, p.Name), recipe.Role(rules.KeepAll)
		}
	}
	if len(names) == 0 || len(names) > mostSuggested {
		return
	}
	r := recipe.Recipe{Model: recipe.Model{Roles: m, Interactions: recipe.Interactions{names}}}
	for _, name := range []string{"model.roles", "model.interactions"} {
		k, _ := lookup(name)
		s.remark(name, remark{suggested: strings.TrimSpace(written(k.field(&Config{Recipe: r}).node()))})
	}
}

// initial returns the configuration with what was found.
func (s *starter) initial(guessed bool) *Initial {
	head := fmt.Sprintf("# Configuration of tskgraph for %q: %d rows, %d input columns. Keys that are comments show their default.\n",
		s.path, s.survey.Rows, s.inputs)
	made := &Initial{
		Targets: s.config.Data.Targets(), Guessed: guessed, Notes: s.notes, Warnings: s.warnings, Rows: s.survey.Rows, Inputs: s.inputs,
		Proposals: s.proposals, config: s.config,
	}
	s.remarkProposals(made)
	made.Remedies = s.remedies()
	made.YAML = s.config.template(head, s.remarks)
	_, used := s.used()
	made.Columns = make([]Column, len(s.survey.Columns))
	for i, p := range s.survey.Columns {
		made.Columns[i] = Column{p, slices.Contains(made.Targets, p.Name), !used[p.Name], s.why[p.Name]}
	}
	return made
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
