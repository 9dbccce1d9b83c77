package config

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

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
