package sqlite

import (
	"errors"
	"io/fs"

	"github.com/ncruces/go-sqlite3"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/data/rowstream"
)

// remedies says what to do about the faults of SQLite, by result code.
var remedies = map[sqlite3.ErrorCode]string{
	sqlite3.BUSY:     "another process writes to it: try again when it is done",
	sqlite3.LOCKED:   "another process writes to it: try again when it is done",
	sqlite3.NOTADB:   "the file is no SQLite database: name another one (data.path)",
	sqlite3.CORRUPT:  "the file is damaged or incomplete: copy it again, or restore it from a backup",
	sqlite3.IOERR:    "the file is damaged or incomplete: copy it again, or restore it from a backup",
	sqlite3.CANTOPEN: "the file cannot be opened: check its permissions, and with a write-ahead log those of its directory",
	sqlite3.AUTH:     "a query may only read: want one SELECT (data.query)",
	sqlite3.ERROR:    "correct data.query",
}

// fault returns an error of the database as one of the table, or as the interruption of the query.
func (c *cursor) fault(err error) error {
	if interrupted := rowstream.Interrupted(c.ctx); interrupted != nil {
		return interrupted
	}
	if known := new(table.Error); errors.As(err, &known) {
		return err
	}
	fault := &table.Error{File: c.name, Message: "the database cannot be read: " + err.Error(), Err: err}
	if c.row > 0 {
		fault.Line = c.row + 1
	}
	if path := new(fs.PathError); errors.As(err, &path) {
		fault.Message = "the database cannot be read: " + path.Err.Error() + ": correct data.path"
	}
	if errors.Is(err, errNotSelect) {
		fault.Message = "the query must be one SELECT: correct data.query"
	}
	if code := sqlite3.ErrorCode(0); errors.As(err, &code) {
		if code == sqlite3.TOOBIG && c.limit > 0 {
			return rowstream.TooLong(c.name, c.row+1, "a cell of the row, or one of the rows sorted before it,", c.limit)
		}
		if remedy := remedies[code]; remedy != "" {
			fault.Message += ": " + remedy
		}
	}
	return fault
}
