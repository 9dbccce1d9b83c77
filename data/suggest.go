package data

import "github.com/tskgraph/tskgraph/internal/base/suggest"

// didYouMean returns `; did you mean "x"?` for the known name that is closest to an unknown one, or nothing when
// none is close.
func didYouMean(name string, known []string) string {
	if closest := suggest.Closest(name, known); closest != "" {
		return "; did you mean " + quote(closest) + "?"
	}
	return ""
}
