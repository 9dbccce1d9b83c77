package byhand

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Error is a fault in a file of rules.
type Error struct {
	File         string
	Line, Column int // from 1; 0: unknown
	Message      string
}

// Error returns the place, as file:line:column, and the message.
func (e *Error) Error() string {
	place := escape.Text(e.File)
	for _, n := range []int{e.Line, e.Column} {
		if n == 0 {
			break
		}
		place += fmt.Sprintf(":%d", n)
	}
	return place + ": " + e.Message
}

// Errorf returns an [Error] with a formatted message.
func Errorf(file string, line, column int, format string, a ...any) error {
	return &Error{file, line, column, fmt.Sprintf(format, a...)}
}
