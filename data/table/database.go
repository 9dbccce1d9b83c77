package table

import (
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// scheme returns the format of a database; nil for a file or a Reader.
func (in Input) Scheme() *Format {
	if in.Reader != nil {
		return nil
	}
	name := strings.ToLower(in.Name[:min(len(in.Name), maxScheme)])
	return find(func(f Format) bool { return hasPrefix(name, f.Schemes) })
}

// maxScheme is the length of the longest scheme.
const maxScheme = 32

// connection matches the password of a connection string, in key=value form or in a URL.
var connection = regexp.MustCompile(`(?i)\b(password|pwd)\s*=`)

// check refuses a database without a query, a query without a database, and names with a password. No error contains
// such a name.
func (in Input) Check() error {
	f := in.Scheme()
	if f == nil && in.Reader == nil && connection.MatchString(in.Name) {
		return KeyFault("data.path", "looks like a connection string with a password: want postgres://USER@HOST:PORT/DATABASE, and the password in PGPASSWORD, ~/.pgpass or a service file")
	}
	if scheme, _, is := strings.Cut(in.Name, "://"); f == nil && is && in.Reader == nil {
		if strings.ContainsAny(scheme, ":@= ") {
			scheme = "..."
		}
		return KeyFault("data.path", "no registered format reads tables at %s: correct it, or import the package of its format", escape.Quote(scheme+"://"))
	}
	if f == nil && in.Query != "" {
		return KeyFault("data.query", "applies to a database only: set data.path to one, such as postgres://HOST/DATABASE or sqlite:FILE").RestingOn("data.path")
	}
	if f == nil {
		return nil
	}
	if f.Check != nil {
		if err := f.Check(in.Name); err != nil {
			return KeyFault("data.path", "%v", err)
		}
	}
	if strings.TrimSpace(in.Query) == "" {
		return KeyFault("data.query", "a database needs a query: one SELECT of the columns and rows to read (--query of init, predict and evaluate)").RestingOn("data.path")
	}
	return nil
}

// context ends a query.
func (in Input) context() context.Context {
	if in.Context == nil {
		return context.Background()
	}
	return in.Context
}

var orderBy = regexp.MustCompile(`(?i)\border\s+by\b`)

// checkOrder refuses a query whose rows may come in another order each time, on which the split depends.
func checkOrder(query string) error {
	if query == "" || orderBy.MatchString(query) {
		return nil
	}
	return KeyFault("data.query", "without ORDER BY the rows may come in another order each time, and the split depends on their order: end the query with ORDER BY and columns that no two rows share")
}

// databaseName is a short name for a database: the last part of its name, without scheme, options and extension.
func DatabaseName(f *Format, name string) string {
	_, name, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, "?")
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name = strings.TrimSuffix(name, path.Ext(name)); name == "" || name == "/" {
		return f.Name
	}
	return name
}
