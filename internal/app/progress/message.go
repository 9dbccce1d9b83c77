package progress

import (
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/exitcode"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/config"
)

// Message is an event that is a note or a fault.
type Message struct {
	Event string `json:"event"`           // note or error
	Kind  string `json:"kind,omitempty"`  // of an error, see exitcode.Of
	Key   string `json:"key,omitempty"`   // of the configuration
	Where string `json:"where,omitempty"` // file:line:column, the environment variable, or --set
	Text  string `json:"message"`
}

// Note returns the event of a line that was written as a note.
func Note(line string) Message {
	return Message{Event: "note", Text: escape.Text(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "note: "))}
}

// Fault describes an error; a fault of the configuration has its key apart.
func Fault(err error) Message {
	_, kind := exitcode.Of(err)
	m := Message{Event: "error", Kind: kind, Text: err.Error()}
	switch fault := err.(type) {
	case *config.Error:
		m.Key, m.Where, m.Text = fault.Key, fault.Where, fault.Message
	case *tskgraph.RecipeError:
		m.Key, m.Text = fault.Key, fault.Message
	case *data.KeyError:
		m.Key, m.Text = fault.Key, fault.Message
	}
	lines := strings.Split(m.Text, "\n")
	for i, line := range lines {
		lines[i] = escape.Text(line)
	}
	m.Text = strings.Join(lines, "\n")
	return m
}
