// Package failure carries the exit code and the text of an error through a runner, which knows errors as texts only and puts
// its own words and stacks around them.
package failure

import (
	"encoding/json"
	"strings"
)

// Failure is an error of a worker.
type Failure struct {
	Exit    int    `json:"exit"` // the exit code of the command
	Message string `json:"message"`
}

func (f *Failure) Error() string { return f.Message }

// The text of a failure stands between these marks, as a JSON object without its braces.
const (
	begins = "tskgraph-beam failed: {"
	ends   = "} :end of failure"
)

// Marked returns the failure as a text that Find finds.
func (f *Failure) Marked() string {
	text, err := json.Marshal(f)
	if err != nil { // an integer and a string have JSON
		panic(err)
	}
	return begins + string(text[1:len(text)-1]) + ends
}

// Find returns the first failure in a text, or nil.
func Find(text string) *Failure {
	for {
		_, after, ok := strings.Cut(text, begins)
		if !ok {
			return nil
		}
		f := &Failure{}
		if inside, _, ok := strings.Cut(after, ends); ok && json.Unmarshal([]byte("{"+inside+"}"), f) == nil {
			return f
		}
		text = after
	}
}
