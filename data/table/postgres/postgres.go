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
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/tskgraph/tskgraph/internal/base/escape"
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

const boolean = 16 // the object identifier of the type

// types are those that are read, by the object identifiers of pg_type.dat, which are the same in every server.
var types = map[uint32]string{
	boolean: "boolean",
	20:      "bigint", 21: "smallint", 23: "integer", 700: "real", 701: "double precision", 1700: "numeric",
	18: "char", 19: "name", 25: "text", 1042: "character", 1043: "character varying", 2950: "uuid",
	1082: "date", 1114: "timestamp", 1184: "timestamp with time zone",
}

// checkType refuses a column whose type is not read. An enumeration is. The table is named in errors.
func checkType(ctx context.Context, conn *pgconn.PgConn, named string, field pgconn.FieldDescription) error {
	if types[field.DataTypeOID] != "" {
		return nil
	}
	const describe = "SELECT format_type(oid, NULL), typtype FROM pg_type WHERE oid = $1"
	oid := strconv.FormatUint(uint64(field.DataTypeOID), 10)
	result := conn.ExecParams(ctx, describe, [][]byte{[]byte(oid)}, nil, nil, nil).Read()
	if result.Err != nil {
		return result.Err
	}
	name := "with number " + oid
	if len(result.Rows) == 1 {
		if string(result.Rows[0][1]) == "e" {
			return nil
		}
		name = string(result.Rows[0][0])
	}
	return &table.Error{File: named,
		Message: fmt.Sprintf("column %s has the type %s, which is not read: leave it out of data.query, or cast it (CAST ... AS text)",
			escape.Quote(field.Name), escape.Text(name))}
}

var errNotSelect = errors.New("the query has no columns: want one SELECT (data.query)")

// connectError is an error of the connection before the query.
type connectError struct{ error }

func (e *connectError) Unwrap() error { return e.error }

// remedies says what to do about an error of the server, by the beginning of its SQLSTATE.
var remedies = []struct{ state, remedy string }{
	{"25006", "a query may only read: want one SELECT (data.query)"},
	{"57014", "the server ended the query: ask for less, or raise statement_timeout"},
	{"57P", "the connection was lost: try again"},
	{"08", "the connection was lost: try again"},
	{"22", "correct data.query or the row"},
	{"42", "correct data.query"},
}

const (
	loggingIn = "check host, database and user (PGHOST, PGPORT, PGDATABASE, PGUSER), and the password (PGPASSWORD, ~/.pgpass or a " +
		"service file)"
	lost = "the connection was lost: try again"
)

// fault returns an error of the connection or the server as one of the table, or as the interruption of the query. The texts of
// pgconn contain no password.
func (c *cursor) fault(err error) error {
	if interrupted := table.Interrupted(c.ctx); interrupted != nil {
		return interrupted
	}
	if known := new(table.Error); errors.As(err, &known) {
		return err
	}
	if long := new(pgproto3.ExceededMaxBodyLenErr); errors.As(err, &long) && c.rows != nil {
		return table.TooLong(c.name, c.row+1, "the row", table.MaxRow)
	}
	fault := &table.Error{File: c.name, Message: "the database cannot be read: " + strings.Join(strings.Fields(err.Error()), " "), Err: err}
	if c.row > 0 {
		fault.Line = c.row + 1
	}
	if connecting := new(connectError); errors.As(err, &connecting) {
		fault.Message += ": " + loggingIn
		return fault
	}
	server := new(pgconn.PgError)
	switch {
	case errors.As(err, &server):
		if server.Position > 0 {
			fault.Message += fmt.Sprintf(" at character %d", server.Position)
		}
		for _, r := range remedies {
			if strings.HasPrefix(server.Code, r.state) {
				fault.Message += ": " + r.remedy
				break
			}
		}
	case !errors.Is(err, errNotSelect):
		fault.Message += ": " + lost
	}
	return fault
}
