package config

import (
	"io"
	"regexp"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

const (
	rowsAnEntity = 2  // least average number of rows of an entity
	leastRepeats = 20 // pairs of rows with equal cells in both columns that are expected by chance, at least
)

// occasionName matches names of columns that tell the rows of one entity apart.
var occasionName = regexp.MustCompile(`(?i)^((.*[ _.-])?(visit|wave|round|session|trial|occasion|replicate|repeat|quarter|season))$`)

// occasion reports whether a column seems to say when, or on which of several occasions, its row was measured.
func occasion(p data.Profile) bool {
	return occasionName.MatchString(p.Name) || timeName.MatchString(p.Name) || 10*p.Dates >= 9*p.Present()
}

// findGroups suggests keeping the rows of one entity together, such as a patient with several visits, where no two rows have the same
// entity and occasion. Series are left to data.time, which does not divide them at random.
func (s *starter) findGroups() {
	if s.remarks["data.group"].suggested != "" || s.proposed("time") || !s.again() {
		return
	}
	for _, when := range s.survey.Columns {
		if when.Missing > 0 || when.Unique() || !occasion(when) {
			continue
		}
		for _, of := range s.entities(when, rowsAnEntity) {
			if !occasion(of) && s.keyed(of.Name, when.Name) {
				s.inGroups(of)
				s.warn("no two rows have the same %s and %s: if rows of one %[1]s are alike, set data.group, which keeps them in one part",
					escape.Quote(of.Name), escape.Quote(when.Name))
				return
			}
		}
	}
}

// again reports whether the table can be read once more.
func (s *starter) again() bool {
	return s.survey.Rows <= mostStamps && s.table.Reader == nil && s.table.Name != table.StandardInput
}

// keyed reports whether no two rows have the same cells in both columns, though by chance some would.
func (s *starter) keyed(a, b string) bool {
	t, err := table.OpenTable(s.table, "auto")
	if err != nil {
		return false
	}
	defer t.Close()
	at := [2]int{slices.Index(t.Header.Names, a), slices.Index(t.Header.Names, b)}
	seen, equal := map[[2]string]bool{}, [2]float64{} // pairs of rows
	counts := [2]map[string]float64{{}, {}}
	for err = t.Next(); err == nil; err = t.Next() {
		var pair [2]string
		for i := range pair {
			pair[i] = t.Cell(at[i])
			equal[i] += counts[i][pair[i]]
			counts[i][pair[i]]++
		}
		if seen[pair] {
			return false
		}
		seen[pair] = true
	}
	n := float64(len(seen))
	return err == io.EOF && equal[0]*equal[1] >= leastRepeats*n*(n-1)/2
}
