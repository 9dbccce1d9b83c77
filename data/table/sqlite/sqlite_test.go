package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// create makes a database by statements.
func create(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b?%.db")
	db := testenv.Must(sqlite3.Open(strings.NewReplacer("?", "%3f", "%", "%25", " ", "%20").Replace("file:" + path)))
	defer db.Close()
	for _, s := range statements {
		testenv.OK(t, db.Exec(s))
	}
	return path
}

// cells reads all rows of a query.
func cells(ctx context.Context, path, text string) (names []string, rows [][]string, err error) {
	src, err := query(ctx, scheme+path, text)
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	var b table.Block
	for err == nil {
		err = src.Next(&b)
		for i := range b.Rows {
			row := make([]string, len(b.Columns))
			for k, c := range b.Columns {
				row[k] = c.Cells[i]
			}
			rows = append(rows, row)
		}
		if b.Rows > 0 && b.Lines[b.Rows-1] != len(rows) {
			return nil, nil, fmt.Errorf("row %d has line %d", len(rows), b.Lines[b.Rows-1])
		}
		if err != nil {
			b.Rows = 0
		}
	}
	return src.Header().Names, rows, err
}

// Cells are exact: numbers give the same bits, NULL is blank, dates are ISO 8601.
func TestCells(t *testing.T) {
	path := create(t, "CREATE TABLE t (i INTEGER, r REAL, w TEXT, n NUMERIC, d DATE, s TIMESTAMP, b BOOLEAN)",
		"INSERT INTO t VALUES (9007199254740993, 0.1, 'a,b', 12.50, '2024-02-29', '2024-02-29 12:30:01', 1), (-1, 1e300, NULL, 7, NULL, "+
			"'2024-01-01', 0)")
	names, rows, err := cells(t.Context(), path, `SELECT *, i AS " twice " FROM t ORDER BY i DESC; `)
	want := [][]string{
		{"9007199254740993", "0.1", "a,b", "12.5", "2024-02-29", "2024-02-29 12:30:01", "1", "9007199254740993"},
		{"-1", "1e+300", "", "7", "", "2024-01-01", "0", "-1"},
	}
	if err.Error() != "EOF" || !reflect.DeepEqual(rows, want) || names[7] != "twice" {
		t.Errorf("%q %q, %v", names, rows, err)
	}
}

const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "

// Many rows come in several blocks, in order.
func TestBlocks(t *testing.T) {
	_, rows, err := cells(t.Context(), create(t, "CREATE TABLE t (x)"), many+"SELECT i, i * 2 FROM n ORDER BY i")
	if err.Error() != "EOF" || len(rows) != 60000 || rows[59999][1] != "120000" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// Only one SELECT is run, whatever else the text holds.
func TestOneSelect(t *testing.T) {
	path := create(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1)")
	for _, text := range []string{
		"DELETE FROM t", "SELECT 1; DELETE FROM t", "SELECT 1; SELECT 2", "ATTACH 'other.db' AS o", "PRAGMA query_only = off",
		"INSERT INTO t VALUES (2) RETURNING x",
		"SELECT load_extension('x')", "-- nothing", "SELECT * FROM none", "SELECT", "VACUUM INTO 'copy.db'",
	} {
		if _, _, err := cells(t.Context(), path, text); !errors.As(err, new(*table.Error)) || !strings.Contains(err.Error(), "data.query") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, rows, _ := cells(t.Context(), path, "SELECT x FROM t"); len(rows) != 1 {
		t.Errorf("%d rows are left", len(rows))
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(files) != 1 {
		t.Errorf("files %q", files)
	}
}

// Each fault says what and what to do; the rows before it are read.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	no := filepath.Join(dir, "no.db")
	testenv.OK(t, os.WriteFile(no, []byte(strings.Repeat("no database ", 1000)), 0o600))
	path := create(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES ('ff')",
		"CREATE TABLE long AS "+many+"SELECT i, hex(randomblob(20)) AS h FROM n")
	whole := testenv.Must(os.ReadFile(path))
	cut := filepath.Join(dir, "cut.db")
	testenv.OK(t, os.WriteFile(cut, whole[:len(whole)/2], 0o600))
	for _, test := range []struct {
		path, query, want string
		rows              int
	}{
		{filepath.Join(dir, "none.db"), "SELECT 1", "no such file or directory: correct data.path", 0},
		{dir, "SELECT 1", "is not a regular file", 0},
		{no, "SELECT 1 FROM sqlite_master", "the file is no SQLite database: name another one (data.path)", 0},
		{cut, "SELECT * FROM long ORDER BY i", "the file is damaged or incomplete", -1},
		{path, "SELECT x, CAST(x AS BLOB) FROM t", `:1: column "CAST(x AS BLOB)" holds a BLOB`, 0},
		{path, many + "SELECT abs(CASE i WHEN 50000 THEN -9223372036854775807 - 1 ELSE i END) FROM n",
			":50000: the database cannot be read: ", 49999},
	} {
		_, rows, err := cells(t.Context(), test.path, test.query)
		if !errors.As(err, new(*table.Error)) || !strings.Contains(err.Error(), test.want) || test.rows >= 0 && len(rows) != test.rows {
			t.Errorf("%s: %d rows, %v; want %s", test.query, len(rows), err, test.want)
		}
	}
}

// A row has at most 16 MiB, and SQLite makes no cell that is longer: of many columns, none that would fill the memory with others.
func TestLongRows(t *testing.T) {
	path := create(t, "CREATE TABLE t (x)", "INSERT INTO t VALUES (1), (2), (3)")
	wide := func(bytes int) string { return strings.Repeat(fmt.Sprintf(", hex(zeroblob(%d))", bytes/2), 100) }
	for query, want := range map[string]string{
		"SELECT x, CASE x WHEN 3 THEN hex(zeroblob(300000000)) END FROM t": ":3: a cell of the row, or one of the " +
			"rows sorted before it, has more than 16384 KiB",
		"SELECT CASE x WHEN 2 THEN hex(zeroblob(8388000)) ELSE 1 END, hex(zeroblob(5000)) FROM t": ":2: the row has more than 16384 KiB",
		"SELECT x" + wide(400_000) +
			" FROM t": ":1: a cell of the row, or one of the rows sorted before it, has " +
			"more than 324 KiB",
		"SELECT x" + wide(300_000) + " FROM t": ":1: the row has more than 16384 KiB",
		"SELECT x, length(hex(zeroblob(300000000))) FROM t": ":1: a cell of the row, or one of the " +
			"rows sorted before it, has more than 16384 KiB",
		"SELECT x, hex(zeroblob(8388600)) FROM t": "",
		"SELECT x" + wide(100_000) + " FROM t":    "",
	} {
		_, rows, err := cells(t.Context(), path, query)
		if want == "" && (err != io.EOF || len(rows) != 3) || want != "" &&
			(!errors.As(err, new(*table.Error)) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.60s: %d rows, %v", query, len(rows), err)
		}
	}
}

// A locked file is waited for, and an interrupt ends the wait; so it ends a query that gives no row.
func TestLockedAndInterrupted(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = 100 * time.Millisecond
	path := create(t, "CREATE TABLE t (x)")
	db := testenv.Must(sqlite3.Open(strings.NewReplacer("?", "%3f", "%", "%25", " ", "%20").Replace("file:" + path)))
	defer db.Close()
	testenv.OK(t, db.Exec("BEGIN EXCLUSIVE"))
	if _, _, err := cells(t.Context(), path, "SELECT x FROM t"); err == nil ||
		!strings.Contains(err.Error(), "another process writes to it: try again") {
		t.Errorf("locked: %v", err)
	}
	endless := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
	for path, text := range map[string]string{path: "SELECT x FROM t", create(t, "CREATE TABLE t (x)"): endless} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, _, err := cells(ctx, path, text); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*table.Error)) {
			t.Errorf("%s: %v", text, err)
		}
		cancel()
	}
}
