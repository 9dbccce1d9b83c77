package config

import (
	"fmt"
	"regexp"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// starter chooses the values of a configuration for a table.
type starter struct {
	*outline
	path   string
	table  data.Input
	survey *data.Survey
	chosen *[]string         // columns to leave out; nil: s finds them
	why    map[string]string // see Column.Why

	found   findings // noted
	ignored findings // remarked with data.ignore

	times   []data.Profile // columns of times
	codes   bool           // the classes are numbers
	ranked  bool           // columns of many levels are, see ranks
	inputs  int            // columns
	missing int            // cells in these

	proposals []Proposal
	exposure  string // the column that is proposed for data.offset; may be empty
}

// numeric reports whether all that is there are numbers that can be read.
func numeric(p data.Profile) bool {
	return p.Numbers > 0 && p.Numbers == p.Present() && p.Marks == nil
}

var (
	identifierName = regexp.MustCompile(`(?i)^(id|index|idx|row|row[ _.-]?(id|nr|no|num|number)|nr|no|number|uuid|guid|key|unnamed.*|` +
		`.*[ _.-](id|nr|no|idx|index|key|uuid))$`)
	camelID   = regexp.MustCompile(`[a-z](Id|ID)$`)
	groupName = regexp.MustCompile(`(?i)^((.*[ _.-])?(id|patient|subject|customer|user|animal))$`)
	unitName  = regexp.MustCompile(`(?i)^((.*[ _.-])?(person|site|station|device|machine|vehicle|group|batch|household|school|plant|plot))$`)
	timeName  = regexp.MustCompile(`(?i)^((.*[ _.-])?(date|time|timestamp|datetime|year|month|week|day|hour|epoch|period)|t)$`)
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

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// outline is an unfinished configuration, with notes for the user and remarks on keys.
type outline struct {
	config  *Config
	remarks map[string]remark
	notes   []string

	warnings []string // of the notes, those that ask for a decision
}

func (d *outline) note(format string, a ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, a...))
}

// warn notes what asks for a decision.
func (d *outline) warn(format string, a ...any) {
	d.note(format, a...)
	d.warnings = append(d.warnings, d.notes[len(d.notes)-1])
}

// remark sets the remark on a key; the reasons of several columns add up, mostFound of them.
func (d *outline) remark(key string, r remark, why ...string) {
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
func (f findings) note(d *outline) {
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
func (f findings) remark(d *outline, key string) {
	for _, one := range f.all {
		why := one.names[0] + one.one
		if len(one.names) > 1 {
			why = fmt.Sprintf("%s: %s", one.many, escape.List(one.names))
		}
		d.remark(key, remark{set: true}, why)
	}
}
