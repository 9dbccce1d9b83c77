package sqlite

import (
	"database/sql"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tskgraph/tskgraph/data"
)

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
