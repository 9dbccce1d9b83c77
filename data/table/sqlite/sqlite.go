// Package sqlite reads the rows of a query to a SQLite database as a [table.RowSource]. Importing it registers the format of tables
// that are named sqlite:FILE:
//
//	import _ "github.com/tskgraph/tskgraph/data/table/sqlite"
//
// The file is opened to be read only, and the query must be one SELECT, which sees the database as it was at its start. Cells are the
// numbers and texts of SQLite as delimited text would have them: a number in its shortest form, NULL as a missing cell, and in columns
// declared as DATE, DATETIME or TIMESTAMP a date as 2006-01-02 and a time as 2006-01-02 15:04:05. A BLOB is an *Error.
//
// SQLite is the translation of its C sources to Go by github.com/ncruces/go-sqlite3, a twentieth of the download of
// modernc.org/sqlite. Its memory is a Go slice, so that a fault in SQLite is a panic, which is recovered here.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

const scheme = "sqlite:"

// patience is how long a query waits for another process that locks the database. Tests wait less.
var patience = 2 * time.Second

func init() {
	table.Register(table.Format{Name: "sqlite", Schemes: []string{scheme}, Query: query})
}

// cursor is a query under way.
type cursor struct {
	ctx   context.Context
	name  string
	conn  *sqlite3.Conn
	rows  *sqlite3.Stmt
	names []string
	times []bool // the column is declared to have dates or times
	row   int    // rows read
	limit int    // bytes of a cell
}

// query sends a query to the database of a file.
func query(ctx context.Context, name, text string) (table.RowSource, error) {
	ctx, cancel := context.WithCancel(ctx)
	c := &cursor{ctx: ctx, name: name}
	if err := c.guarded(func() error { return c.open(name[len(scheme):], text) }); err != nil {
		_ = c.Close()
		cancel()
		return nil, err
	}
	return table.StreamRows(c.name, c.names, c, cancel), nil
}

// guarded calls a function that calls SQLite, and returns its error, or its panic, as one of the table.
func (c *cursor) guarded(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.rows, c.conn = nil, nil // what is in memory is not sound
			err = fmt.Errorf("SQLite failed: %v", p)
		}
		if err != nil && err != io.EOF {
			err = c.fault(err)
		}
	}()
	return call()
}

// open opens the file and starts the query.
func (c *cursor) open(file, text string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", escape.Quote(file))
	}
	location := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath()}
	location.RawQuery = url.Values{"mode": {"ro"}, "_pragma": {"query_only(true)",
		fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds())}}.Encode()
	if c.conn, err = sqlite3.OpenContext(c.ctx, location.String()); err != nil {
		return err
	}
	c.conn.SetInterrupt(c.ctx)
	if c.rows, err = authorised(c.conn, text); err != nil {
		return err
	}
	columns := c.rows.ColumnCount()
	c.limit = min(table.MaxRow, max(leastCell, heldBytes/max(1, columns)))
	c.conn.Limit(sqlite3.LIMIT_LENGTH, c.limit)
	for k := range columns {
		c.names = append(c.names, strings.TrimSpace(c.rows.ColumnName(k)))
		declared := strings.ToUpper(c.rows.ColumnDeclType(k))
		c.times = append(c.times, declared == "DATE" || declared == "DATETIME" || declared == "TIMESTAMP")
	}
	return nil
}

// SQLite holds all cells of a row before this package sees their lengths. A limit bounds the bytes of a cell, and of a row that SQLite
// sorts, in a query, which holds so much more memory the more columns it has; of one or two columns by those of a row.
const (
	heldBytes = 2 * table.MaxRow // of the cells of a row, as far as leastCell allows
	leastCell = 64 << 10
)

var errNotSelect = errors.New("the query is not one SELECT")

// authorised compiles a query and refuses everything but one SELECT: on this connection nothing else is compiled.
func authorised(conn *sqlite3.Conn, text string) (*sqlite3.Stmt, error) {
	err := conn.SetAuthorizer(func(action sqlite3.AuthorizerActionCode, _, function, _, _ string) sqlite3.AuthorizerReturnCode {
		switch {
		case action == sqlite3.AUTH_SELECT, action == sqlite3.AUTH_READ, action == sqlite3.AUTH_RECURSIVE,
			action == sqlite3.AUTH_FUNCTION && !strings.EqualFold(function, "load_extension"):
			return sqlite3.AUTH_OK
		}
		return sqlite3.AUTH_DENY
	})
	if err != nil {
		return nil, err
	}
	rows, _, err := conn.Prepare(text)
	if err != nil {
		return nil, err
	}
	if within, _, err := conn.Prepare("SELECT * FROM (" + strings.TrimRight(text, "; \t\r\n") + "\n)"); err != nil {
		_ = rows.Close()
		return nil, errNotSelect // of several statements none can be a part of another
	} else if err := within.Close(); err != nil {
		return nil, err
	}
	return rows, nil
}

// Next adds the cells of the next row.
func (c *cursor) Next(row *table.StreamRow) error {
	return c.guarded(func() error {
		if !c.rows.Step() {
			if err := c.rows.Err(); err != nil {
				return err
			}
			return io.EOF
		}
		c.row++
		for k := range c.names {
			switch c.rows.ColumnType(k) {
			case sqlite3.NULL:
				row.Add("")
			case sqlite3.INTEGER:
				row.AddFunc(func(text []byte) []byte { return strconv.AppendInt(text, c.rows.ColumnInt64(k), 10) })
			case sqlite3.FLOAT:
				row.AddFunc(func(text []byte) []byte { return numeric.AppendShortest(text, c.rows.ColumnFloat(k)) })
			case sqlite3.TEXT:
				text := c.rows.ColumnRawText(k)
				if c.times[k] {
					text = isoTime(text)
				}
				row.AddBytes(text)
			default:
				const form = "column %s holds a BLOB, which is neither a number nor a text: leave it out of data.query"
				return &table.Error{File: c.name, Line: c.row, Message: fmt.Sprintf(form, escape.Quote(c.names[k]))}
			}
		}
		return nil
	})
}

// timeForms are the forms of dates and times that SQLite's functions know.
var timeForms = []string{"2006-01-02", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04",
	"2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999-07:00", "2006-01-02T15:04:05.999999999-07:00"}

// isoTime writes a date, or a time in UTC, as ISO 8601; another text as it is.
func isoTime(text []byte) []byte {
	if len(text) > len("2006-01-02T15:04:05.999999999-07:00") {
		return text
	}
	for _, form := range timeForms {
		t, err := time.Parse(form, strings.TrimSuffix(string(text), "Z"))
		if err != nil {
			continue
		}
		t = t.UTC()
		layout := "2006-01-02"
		if t.Hour() != 0 || t.Minute() != 0 || t.Second() != 0 || t.Nanosecond() != 0 {
			layout += " 15:04:05.999999999"
		}
		return t.AppendFormat(nil, layout)
	}
	return text
}

// Close ends the query and closes the file.
func (c *cursor) Close() error {
	return c.guarded(func() error {
		if c.conn == nil {
			return nil
		}
		_ = c.rows.Close() // its error was that of the last row
		return c.conn.Close()
	})
}

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
	if interrupted := table.Interrupted(c.ctx); interrupted != nil {
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
			return table.TooLong(c.name, c.row+1, "a cell of the row, or one of the rows sorted before it,", c.limit)
		}
		if remedy := remedies[code]; remedy != "" {
			fault.Message += ": " + remedy
		}
	}
	return fault
}
