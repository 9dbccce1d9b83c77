// Package sqlite reads the rows of a query to a SQLite database as a [data.RowSource]. Importing it registers the format of tables
// that are named sqlite:FILE:
//
//	import _ "github.com/tskgraph/tskgraph/data/sqlite"
//
// The file is opened to be read only, and the query must be one SELECT, which sees the database as it was at its start. Cells are the
// numbers and texts of SQLite as delimited text would have them: a number in its shortest form, NULL as a missing cell, and in columns
// declared as DATE, DATETIME or TIMESTAMP a date as 2006-01-02 and a time as 2006-01-02 15:04:05. A BLOB is an *Error.
package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
	_ "modernc.org/sqlite" // the driver
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/rowstream"
)

const scheme = "sqlite:"

// patience is how long a query waits for another process that locks the database.
const patience = 2 * time.Second

func init() {
	data.Register(data.Format{Name: "sqlite", Schemes: []string{scheme}, Query: query})
}

// cursor is a query under way.
type cursor struct {
	ctx   context.Context
	name  string
	db    *sql.DB
	rows  *sql.Rows
	names []string
	cells []any // pointers to the values of a row
	row   int   // rows read
	limit int   // bytes of a cell
}

// query sends a query to the database of a file.
func query(ctx context.Context, name, text string) (data.RowSource, error) {
	ctx, cancel := context.WithCancel(ctx)
	c := &cursor{ctx: ctx, name: name}
	if err := c.open(name[len(scheme):], text); err != nil {
		err = c.fault(err)
		_ = c.Close()
		cancel()
		return nil, err
	}
	return rowstream.New(c.name, c.names, c, cancel), nil
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
	location.RawQuery = url.Values{"mode": {"ro"}, "_query_only": {"true"}, "_busy_timeout": {strconv.FormatInt(patience.Milliseconds(), 10)}}.Encode()
	if c.db, err = sql.Open("sqlite", location.String()); err != nil {
		return err
	}
	conn, err := c.db.Conn(c.ctx)
	if err != nil {
		return err
	}
	if err := authorise(c.ctx, conn, text); err != nil {
		return err
	}
	if c.limit, err = limit(conn, text); err != nil {
		return err
	}
	if c.rows, err = conn.QueryContext(c.ctx, text); err != nil {
		return err
	}
	columns, err := c.rows.Columns()
	if err != nil {
		return err
	}
	for _, name := range columns {
		c.names, c.cells = append(c.names, strings.TrimSpace(name)), append(c.cells, new(any))
	}
	return nil
}

// Next adds the cells of the next row.
func (c *cursor) Next(row *rowstream.Row) error {
	if !c.rows.Next() {
		if err := c.rows.Err(); err != nil {
			return c.fault(err)
		}
		return io.EOF
	}
	c.row++
	if err := c.rows.Scan(c.cells...); err != nil {
		return c.fault(err)
	}
	for k, cell := range c.cells {
		switch v := (*cell.(*any)).(type) {
		case nil:
			row.Add("")
		case int64:
			row.AddFunc(func(text []byte) []byte { return strconv.AppendInt(text, v, 10) })
		case float64:
			row.AddFunc(func(text []byte) []byte { return digits.Append(text, v) })
		case string:
			row.Add(v)
		case time.Time:
			row.Add(dateText(v))
		default:
			return &data.Error{File: c.name, Line: c.row, Message: fmt.Sprintf("column %s holds a BLOB, which is neither a number nor a text: leave it out of data.query", escape.Quote(c.names[k]))}
		}
	}
	return nil
}

// dateText writes a date, or a time in UTC, as ISO 8601.
func dateText(t time.Time) string {
	t = t.UTC()
	layout := "2006-01-02"
	if t.Hour() != 0 || t.Minute() != 0 || t.Second() != 0 || t.Nanosecond() != 0 {
		layout += " 15:04:05.999999999"
	}
	return t.Format(layout)
}

// Close ends the query and closes the file.
func (c *cursor) Close() error {
	if c.rows != nil {
		_ = c.rows.Close() // its error was that of the last row
	}
	if c.db == nil {
		return nil
	}
	return c.db.Close()
}

// SQLite holds all cells of a row before this package sees their lengths.
const (
	heldBytes = 2 * data.MaxRow // of the cells of a row, as far as leastCell allows
	leastCell = 64 << 10
)

// limit bounds the bytes of a cell, and of a row that SQLite sorts, in a query on a connection, which holds so much more memory the more
// columns it has; of one or two columns by those of a row.
func limit(conn *sql.Conn, text string) (bytes int, err error) {
	err = conn.Raw(func(driver any) error {
		columns, err := driver.(interface {
			ColumnInfo(query string) ([]sqlite.ColumnInfo, error)
		}).ColumnInfo(text)
		bytes = min(data.MaxRow, max(leastCell, heldBytes/max(1, len(columns))))
		return err
	})
	if err == nil {
		_, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, bytes)
	}
	return bytes, err
}
