package report

import (
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
)

// SplitsOf says on how many splits a setting of a race was scored, marked where it left before another one, since losses on
// different splits are not comparable: "5", or "2, left". Empty without a split.
func SplitsOf(s tskgraph.RaceScore, race []tskgraph.RaceScore) string {
	switch {
	case s.Splits == 0:
		return ""
	case slices.ContainsFunc(race, func(other tskgraph.RaceScore) bool { return other.Splits > s.Splits }):
		return strconv.Itoa(s.Splits) + ", left"
	}
	return strconv.Itoa(s.Splits)
}
