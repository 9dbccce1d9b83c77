// Package postgres reads the rows of a query to a PostgreSQL database as a [table.RowSource]. Importing it registers the format of
// tables that are named postgres://HOST/DATABASE or postgresql://:
//
//	import _ "github.com/tskgraph/tskgraph/data/table/postgres"
//
// What the name leaves out comes from the environment (PGHOST, PGPORT, PGUSER, PGPASSWORD, PGSSLMODE, ...), a service file
// (postgres://?service=NAME or PGSERVICE) and ~/.pgpass, as in psql. A name that has a password, or may have one in any
// place, is refused, since it is written to files and messages.
//
// The query runs in a read-only transaction, and its rows are streamed. Columns of numbers, booleans, texts, enumerations, UUIDs, dates
// and timestamps are read; any other type is an *Error that names it. Cells are the text that PostgreSQL writes, and NULL a missing
// cell: numbers in their shortest form that gives the same bits, decimals with all digits, true and false, dates as 2006-01-02,
// timestamps as 2006-01-02 15:04:05, those with a time zone in UTC.
package postgres

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

func init() {
	table.Register(table.Format{Name: "postgres", Schemes: []string{"postgres:", "postgresql:"}, Query: query, Check: check})
}

// begin starts a transaction in which nothing can be written, and sets how values are written as text.
const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL DateStyle TO ISO; SET LOCAL TimeZone TO 'UTC'; ` +
	`SET LOCAL extra_float_digits TO 1; SET LOCAL client_encoding TO 'UTF8'`

// overhead bounds the bytes of a message besides the cells of a row: the lengths of 1,664 cells at most.
const overhead = 8 << 10

// cursor is a query under way.
type cursor struct {
	ctx      context.Context
	name     string
	conn     *pgconn.PgConn
	rows     *pgconn.ResultReader
	names    []string
	booleans []bool // by column
	row      int    // rows read
}

// query sends a query to a database.
func query(ctx context.Context, name, text string) (table.RowSource, error) {
	ctx, cancel := context.WithCancel(ctx)
	c := &cursor{ctx: ctx, name: name}
	if err := c.open(text); err != nil {
		err = c.fault(err)
		cancel()
		_ = c.Close()
		return nil, err
	}
	return table.StreamRows(c.name, c.names, c, cancel), nil
}

// open connects and starts the query.
func (c *cursor) open(text string) error {
	config, err := pgconn.ParseConfig(c.name)
	if err != nil {
		return &connectError{err}
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "tskgraph"
	}
	config.MaxProtocolMessageBodyLen = table.MaxRow + overhead
	if c.conn, err = pgconn.ConnectConfig(c.ctx, config); err != nil {
		return &connectError{err}
	}
	if _, err := c.conn.Exec(c.ctx, begin).ReadAll(); err != nil {
		return err
	}
	statement, err := c.conn.Prepare(c.ctx, "", text, nil)
	if err != nil {
		return err
	}
	if len(statement.Fields) == 0 {
		return errNotSelect
	}
	for _, field := range statement.Fields {
		if err := checkType(c.ctx, c.conn, c.name, field); err != nil {
			return err
		}
		c.names = append(c.names, strings.TrimSpace(field.Name))
		c.booleans = append(c.booleans, field.DataTypeOID == boolean)
	}
	if statement, err = c.conn.Prepare(c.ctx, "", text, nil); err != nil { // checkType may have replaced it
		return err
	}
	c.rows = c.conn.ExecPrepared(c.ctx, statement.Name, nil, nil, nil)
	return nil
}

// Next adds the cells of the next row.
func (c *cursor) Next(row *table.StreamRow) error {
	if !c.rows.NextRow() {
		if _, err := c.rows.Close(); err != nil {
			return c.fault(err)
		}
		return io.EOF
	}
	c.row++
	for k, cell := range c.rows.Values() {
		switch {
		case c.booleans[k] && string(cell) == "t":
			row.Add("true")
		case c.booleans[k] && string(cell) == "f":
			row.Add("false")
		default:
			row.AddBytes(cell)
		}
	}
	return nil
}

// goodbye is how long Close waits for the server to end the query.
const goodbye = time.Second / 4

// Close ends the query, if its context is done, and the connection.
func (c *cursor) Close() error {
	if c.conn == nil {
		return nil
	}
	if c.rows != nil {
		_, _ = c.rows.Close() // an error was that of Next, or is that of the context
	}
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	_ = c.conn.Close(ctx) // nothing is lost in a connection that only reads
	select {
	case <-c.conn.CleanupDone():
	case <-ctx.Done():
	}
	return nil
}
