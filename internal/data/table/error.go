// Package table reads tables: formats give blocks of rows, and this package decides what their cells mean, for columns that options or a
// schema name. Package data makes samples of the rows; data/table is the part that formats in other modules may use.
package table

import (
	"fmt"
	"strconv"
)

// Error is an error in the data: a bad cell, a missing column, a ragged row, a table without rows.
// It gives the place and, in Message, the fault and its remedy. An error in the options (such as an
// unknown value of Missing) is a *KeyError instead.
type Error struct {
	File    string // the table, as it was named by the caller; empty for data from memory
	Line    int    // line in the file, from 1; 0 when the fault is not of one line
	Column  int    // first byte of the cell in its line, from 1; 0 when the fault is not of one cell
	Cell    string // the cell unchanged, unquoted; empty when the fault is not of one cell
	Message string // what is wrong and what to do; cells and names are quoted and shortened
	Err     error  // the cause, such as an error of the file system; else nil
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

// KeyError is an error in an option of Source, Options or Split.
type KeyError struct {
	Key     string   // as config.yaml names it, e.g. "data.train"
	With    []string // other keys whose values the fault rests on
	Message string   // what is wrong and what to do
}

func (e *KeyError) Error() string { return e.Key + ": " + e.Message }

// RestingOn names other keys that the fault rests on.
func (e *KeyError) RestingOn(keys ...string) *KeyError {
	e.With = keys
	return e
}

func KeyFault(key, format string, args ...any) *KeyError {
	return &KeyError{Key: key, Message: fmt.Sprintf(format, args...)}
}

// faultf returns an error about a whole table.
func Faultf(file, format string, args ...any) *Error {
	return &Error{File: file, Message: fmt.Sprintf(format, args...)}
}

// fileFault returns an error of the file system about a table.
func fileFault(file string, err error) *Error {
	return &Error{File: file, Message: "the table cannot be read: " + err.Error(), Err: err}
}
