package plot

import (
	"fmt"
	"strings"
)

// FeatureError reports a feature that the model does not use.
type FeatureError struct {
	Name    string
	Known   []string // the features that it uses
	Closest string   // the most similar one; empty if none is similar
}

func (e *FeatureError) Error() string {
	if e.Closest != "" {
		return fmt.Sprintf("the model uses no feature %q; did you mean %s?", e.Name, e.Closest)
	}
	return fmt.Sprintf("the model uses no feature %q: choose from %s", e.Name, strings.Join(e.Known, ", "))
}
