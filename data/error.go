package data

import (
	"fmt"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/escape"
)

// Error is a fault of the data: a bad cell, a column that is not there, a ragged row, a table without rows.
// It says where the fault is and, in Message, what it is and what to do about it. A fault of the options (an
// unknown value of Missing, say) is a *KeyError instead.
type Error struct {
	File    string // the table, as it was named by the caller; empty for data from memory
	Line    int    // line in the file, from 1; 0 when the fault is not of one line
	Column  int    // first byte of the cell in its line, from 1; 0 when the fault is not of one cell
	Cell    string // the cell as it stands, unquoted; empty when the fault is not of one cell
	Message string // what is wrong and what to do; cells and names are quoted and shortened
	Err     error  // the cause, when it came from elsewhere (the file system); else nil
}

// Error returns file:line:column: message, without the parts that are not known.
func (e *Error) Error() string {
	where := e.File
	if where == "" {
		where = "data"
	}
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
		if e.Column > 0 {
			where += ":" + strconv.Itoa(e.Column)
		}
	}
	return where + ": " + e.Message
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

// KeyError is a fault of an option: of Source, Options or Split.
type KeyError struct {
	Key     string   // as config.yaml names it, e.g. "data.train"
	With    []string // other keys whose values the fault rests on
	Message string   // what is wrong and what to do
}

func (e *KeyError) Error() string { return e.Key + ": " + e.Message }

// with names other keys that the fault rests on.
func (e *KeyError) with(keys ...string) *KeyError {
	e.With = keys
	return e
}

func keyFault(key, format string, args ...any) *KeyError {
	return &KeyError{Key: key, Message: fmt.Sprintf(format, args...)}
}

// faultf is a fault of a whole table.
func faultf(file, format string, args ...any) *Error {
	return &Error{File: file, Message: fmt.Sprintf(format, args...)}
}

// fileFault is what the file system said about a table.
func fileFault(file string, err error) *Error {
	return &Error{File: file, Message: "the table cannot be read: " + err.Error(), Err: err}
}

// quote quotes s for a message: control characters escaped, long text cut.
func quote(s string) string { return escape.Quote(s) }

// list joins quoted names for a message, the first twelve of them.
func list(names []string) string { return escape.List(names) }
