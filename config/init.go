package config

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/recipe"
)

// Initial is a configuration for a table.
type Initial struct {
	Targets []string
	Guessed bool     // the only target is the last column that can be one
	Notes   []string // what was found in the table and what the configuration does about it
	Rows    int
	Inputs  int // columns that are used
	YAML    []byte
}

// Init looks at a table and makes a configuration for it, with one of
// [recipe.Presets]: the targets (none: the last column that can be one), whether they are
// numbers or classes, columns to leave out, how missing cells and words are read, and sizes that suit the numbers of rows and
// features; preset readable keeps its own sizes, which are limits. A table of which nothing
// can be learned is a *data.Error.
func Init(table data.Input, targets []string, preset string) (*Initial, error) {
	if _, err := recipe.Preset(preset); err != nil {
		return nil, err
	}
	survey, err := data.LookAt(table, "auto")
	if err != nil {
		return nil, err
	}
	s := starter{path: table.Name, survey: survey, draft: newDraft(preset)}
	s.config.Data.Path, s.config.Data.Query = table.Name, table.Query
	s.remark("data.path", remark{set: true})
	if table.Query != "" {
		s.remark("data.query", remark{set: true})
	}
	marked := findMarkers(survey)
	if err := chooseTargets(&s, targets); err != nil {
		return nil, err
	}
	if survey.Nameless > 0 {
		s.note("%s without a name left out", count(survey.Nameless, "column", "columns"))
	}
	s.chooseColumns()
	if s.inputs == 0 {
		return nil, &data.Error{File: s.path, Message: "no column is left to learn from: " + strings.Join(s.notes, "; ")}
	}
	s.noteCommas()
	s.chooseNA(marked)
	s.chooseMissing()
	chooseFromRows(&s)
	if s.config.Preset != recipe.Readable().Preset {
		s.chooseSizes()
	}
	if err := s.config.Data.Options.Validate(); err != nil {
		return nil, err
	}
	head := fmt.Sprintf("# Configuration of tskgraph for %q: %d rows, %d input columns. Keys that are comments show their default.\n", s.path, survey.Rows, s.inputs)
	return &Initial{
		Targets: s.config.Data.Targets(), Guessed: len(targets) == 0, Notes: s.notes, Rows: survey.Rows, Inputs: s.inputs,
		YAML: s.config.template(head, s.remarks),
	}, nil
}

// starter chooses the values of a configuration for a table.
type starter struct {
	*draft
	path   string
	survey *data.Survey

	found   findings // noted
	ignored findings // remarked with data.ignore

	codes    bool // the classes are numbers
	inputs   int  // columns
	features int
	missing  int // cells in these
}

// numeric reports whether all that is there are numbers that can be read.
func numeric(p data.Profile) bool {
	return p.Numbers > 0 && p.Numbers == p.Present() && p.Marks == nil
}

var (
	identifierName = regexp.MustCompile(`(?i)^(id|index|idx|row|row[ _.-]?(id|nr|no|num|number)|nr|no|number|uuid|guid|key|unnamed.*|.*[ _.-](id|nr|no|idx|index|key|uuid))$`)
	camelID        = regexp.MustCompile(`[a-z](Id|ID)$`)
	groupName      = regexp.MustCompile(`(?i)^((.*[ _.-])?id|(.*[ _.-])?(patient|subject|person|customer|user|site|station|device|machine|vehicle|group|batch|household|school|plant|plot|animal))$`)
	timeName       = regexp.MustCompile(`(?i)^((.*[ _.-])?(date|time|timestamp|datetime|year|month|week|day|hour|epoch|period)|t)$`)
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

// chooseSizes sets what the numbers of rows and features call for.
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
	if s.features > 20 {
		s.config.Recipe.Model.Antecedents = 5
		s.remark("model.antecedents", remark{set: true}, fmt.Sprintf("rules that mention all of %d features could not be read", s.features))
	}
}
