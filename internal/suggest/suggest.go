// Package suggest finds the known name that a mistyped one was probably meant to be.
package suggest

import "strings"

// Closest returns the known name that is closest to an unknown one, or nothing
// when none is close. Case does not count.
func Closest(name string, known []string) string {
	const (
		tooLong = 100 // longer names are not compared
		near    = 3   // more edits are no slip of the hand
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
