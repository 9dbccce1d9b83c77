package postgres

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

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
