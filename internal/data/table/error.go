// Package table reads tables: formats give blocks of rows, and this package decides what their cells mean, for columns that options or a
// schema name. Package data makes samples of the rows; data/table is the part that formats in other modules may use.
package table

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
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

// Faultf returns an error about a whole table.
func Faultf(file, format string, args ...any) *Error {
	return &Error{File: file, Message: fmt.Sprintf(format, args...)}
}

// ErrNoRow is wrapped by errors about tables of which no row is kept.
var ErrNoRow = errors.New("no row is left")

// fileFault returns an error of the file system about a table.
func fileFault(file string, err error) *Error {
	return &Error{File: file, Message: "the table cannot be read: " + err.Error(), Err: err}
}

// Missing counts the missing cells of a source, in features, target and weight, and the cells of unknown categories
// over which Lenient reading continues.
type Missing struct {
	Policy  string         `json:"policy"`            // error, drop or mean
	Cells   int            `json:"cells"`             // missing cells read
	Dropped int            `json:"dropped"`           // rows left out for them
	Imputed int            `json:"imputed"`           // cells of the rows kept, to be filled by the training mean
	Own     int            `json:"own,omitempty"`     // cells that are values, see Column.Missing
	Columns map[string]int `json:"columns,omitempty"` // missing cells by column; nil when there are none

	Unknown map[string]int `json:"unknown,omitempty"` // cells that are no level of the schema, by column; nil when there are none
	Limited map[string]int `json:"limited,omitempty"` // cells beyond the limits of their column, by column; nil when there are none
	First   string         `json:"first,omitempty"`   // of Lenient reading: place and text of the first fault ignored
}

// addUnknown counts a cell that is no level of its column. fault describes it.
func (m *Missing) addUnknown(column string, fault func() *Error) {
	if m.First == "" {
		m.First = fault().Error()
	}
	if m.Unknown == nil {
		m.Unknown = map[string]int{}
	}
	m.Unknown[column]++
}

// addLimited counts a cell beyond the limits of its column.
func (m *Missing) addLimited(column string) {
	if m.Limited == nil {
		m.Limited = map[string]int{}
	}
	m.Limited[column]++
}

// Filled returns the missing cells by column without those that are values, see [Column.Missing].
func (m *Missing) Filled(s Schema) map[string]int {
	filled := maps.Clone(m.Columns)
	for _, c := range s.Columns {
		if c.Missing {
			delete(filled, c.Name)
		}
	}
	return filled
}

// Add adds the counts of a later part of the same source.
func (m *Missing) Add(later Missing) {
	m.Policy = cmp.Or(m.Policy, later.Policy)
	m.Cells += later.Cells
	m.Dropped += later.Dropped
	m.Imputed += later.Imputed
	m.Own += later.Own
	m.First = cmp.Or(m.First, later.First)
	for _, sum := range []struct {
		to   *map[string]int
		from map[string]int
	}{{&m.Columns, later.Columns}, {&m.Unknown, later.Unknown}, {&m.Limited, later.Limited}} {
		if *sum.to == nil && len(sum.from) > 0 {
			*sum.to = map[string]int{}
		}
		for name, n := range sum.from {
			(*sum.to)[name] += n
		}
	}
}
