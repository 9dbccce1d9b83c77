package registry

import (
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Closest returns the known name closest to an unknown one, ignoring case, or "" if none
// is within three edits.
func Closest(name string, known []string) string {
	const (
		tooLong = 100 // longer names are not compared
		near    = 3   // most edits of a typing error
	)
	if len(name) > tooLong {
		return ""
	}
	best, found := min(near, len(name)/2)+1, ""
	for _, k := range known {
		if len(k) > tooLong || max(len(k)-len(name), len(name)-len(k)) >= best {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < best {
			best, found = d, k
		}
	}
	return found
}

// Hint returns `; did you mean "x"?` for the known name that is closest to an unknown one, or nothing where none is close.
func Hint(name string, known []string) string {
	if closest := Closest(name, known); closest != "" {
		return "; did you mean " + escape.Quote(closest) + "?"
	}
	return ""
}

// distance is the number of bytes to insert, delete or replace that turns a into b
// (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
