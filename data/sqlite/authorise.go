package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"modernc.org/sqlite"
)

var errNotSelect = errors.New("the query is not one SELECT")

// authorise refuses everything but one SELECT: on this connection nothing else is compiled.
func authorise(ctx context.Context, conn *sql.Conn, text string) error {
	err := conn.Raw(func(driver any) error {
		return driver.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(func(action sqlite.AuthorizerActionCode, _, function, _, _ string) sqlite.AuthorizerReturnCode {
			switch {
			case action == sqlite.AuthSelect, action == sqlite.AuthRead, action == sqlite.AuthRecursive,
				action == sqlite.AuthFunction && !strings.EqualFold(function, "load_extension"):
				return sqlite.AuthorizerOK
			}
			return sqlite.AuthorizerDeny
		})
	})
	if err != nil {
		return err
	}
	if err := compile(ctx, conn, text); err != nil {
		return err
	}
	within := "SELECT * FROM (" + strings.TrimRight(text, "; \t\r\n") + "\n)"
	if err := compile(ctx, conn, within); err != nil { // of several statements none can be a part of another
		return errNotSelect
	}
	return nil
}

// compile compiles a query without running it.
func compile(ctx context.Context, conn *sql.Conn, text string) error {
	s, err := conn.PrepareContext(ctx, text)
	if err != nil {
		return err
	}
	return s.Close()
}
