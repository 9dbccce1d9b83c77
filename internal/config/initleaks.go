package config

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// maxLeaks is how many leaks are described.
const maxLeaks = 6

// chooseLeaks leaves out columns that are the target by an identity, as long as others are
// left, and notes others that give it away.
func chooseLeaks(s *starter, d *data.Dataset) {
	left := map[string]bool{} // columns that are left out
	for _, note := range LeakNotes(data.Leaks(d), func(l data.Leak) bool { return l.Identity() && leaveOut(s, left, l) }) {
		s.warn("%s", note)
	}
}

// leaveOut leaves out the columns of a leak, and reports whether it did: others must be left, and the columns not be chosen.
func leaveOut(s *starter, left map[string]bool, l data.Leak) bool {
	if s.chosen != nil {
		return false
	}
	var names []string
	for _, name := range l.Columns {
		if !left[name] {
			names = append(names, name)
		}
	}
	if len(names) >= s.inputs {
		return false
	}
	for _, name := range names {
		left[name] = true
		s.why[name] = "a leak: " + l.String()
		s.config.Data.Ignore = append(s.config.Data.Ignore, name)
	}
	s.inputs -= len(names)
	s.remark("data.ignore", remark{set: true}, fmt.Sprintf("%s: %s", strings.Join(names, ", "), l))
	return true
}

// LeakNotes describes leaks, the first six of them, and what is done about each: leftOut does it, or reports that the columns stay.
func LeakNotes(leaks []data.Leak, leftOut func(data.Leak) bool) (notes []string) {
	for i, l := range leaks {
		out := leftOut(l)
		switch {
		case i >= maxLeaks:
		case out:
			notes = append(notes, fmt.Sprintf("a leak: %s: left out (data.ignore)", l))
		default:
			notes = append(notes, fmt.Sprintf("a leak? %s. Leave out what is not known before the target is: data.ignore: %s", l, escape.Text(written(listNode(l.Columns)))))
		}
	}
	if more := len(leaks) - maxLeaks; more > 0 {
		notes = append(notes, fmt.Sprintf("and %s of the same kind", count(more, "leak", "leaks")))
	}
	return notes
}
