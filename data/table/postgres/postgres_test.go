package postgres

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// read reads all rows of a query, after each block calling step.
func read(ctx context.Context, name, text string, step func()) (names []string, rows [][]string, err error) {
	src, err := query(ctx, name, text)
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	var b table.Block
	for err == nil {
		if err = src.Next(&b); err == io.EOF {
			return src.Header().Names, rows, nil
		}
		for i := range b.Rows {
			row := make([]string, len(b.Columns))
			for k, c := range b.Columns {
				row[k] = c.Cells[i]
			}
			rows = append(rows, row)
		}
		if step != nil {
			step()
		}
	}
	return nil, rows, err
}

// run runs statements on a connection of their own.
func run(t *testing.T, name, text string) []*pgconn.Result {
	t.Helper()
	conn := testenv.Must(pgconn.Connect(t.Context(), name))
	defer conn.Close(t.Context())
	results := testenv.Must(conn.Exec(t.Context(), text).ReadAll())
	return results
}

// TestServer runs against one server.
func TestServer(t *testing.T) {
	name := testenv.StartPostgres(t)
	run(t, name, `CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TABLE kept (x int); INSERT INTO kept VALUES (1);
		ALTER DATABASE postgres SET DateStyle TO German; ALTER DATABASE postgres SET extra_float_digits TO 0;
			ALTER DATABASE postgres SET TimeZone TO 'Asia/Tokyo'`)
	for test, f := range map[string]func(*testing.T, string){"cells": cells, "refused": refused, "faults": faults, "dropped": dropped,
		"interrupted": interrupted, "wrong password": wrongPassword} {
		t.Run(test, func(t *testing.T) { f(t, name) })
	}
}

// cells: each type is read as exact text, whatever the settings of the server.
func cells(t *testing.T, name string) {
	names, rows, err := read(t.Context(), name, `SELECT 9007199254740993::int8 AS i, 0.1::float8 + 0.2 AS f, 0.1::float4, 12.50::numeric AS n,
		true AS t, 1 = 2 AS " f ", 'ok'::mood, 'a,b'::varchar,
		'2024-02-29'::date, '2024-02-29 12:30:01.5'::timestamp, '2024-02-29 12:30:01+09'::timestamptz,
			'11111111-2222-3333-4444-555555555555'::uuid, NULL::int, 1::int2, 'x'::char(3);`, nil)
	want := [][]string{{"9007199254740993", "0.30000000000000004", "0.1", "12.50", "true", "false", "ok", "a,b",
		"2024-02-29", "2024-02-29 12:30:01.5", "2024-02-29 03:30:01+00", "11111111-2222-3333-4444-555555555555", "", "1", "x  "}}
	if err != nil || !reflect.DeepEqual(rows, want) || names[5] != "f" {
		t.Errorf("%q %q, %v", names, rows, err)
	}
	_, rows, err = read(t.Context(), name, "SELECT i, 2 * i FROM generate_series(1, 60000) AS i ORDER BY i", nil)
	if err != nil || len(rows) != 60000 || rows[59999][1] != "120000" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// refused: nothing but one SELECT of known types is run.
func refused(t *testing.T, name string) {
	for text, want := range map[string]string{
		"DELETE FROM kept RETURNING x":  "a query may only read",
		"SELECT 1; DELETE FROM kept":    "cannot insert multiple commands into a prepared statement (SQLSTATE 42601): correct data.query",
		"COMMIT":                        "want one SELECT",
		"":                              "want one SELECT",
		"SELECT x FROM none ORDER BY x": `relation "none" does not exist (SQLSTATE 42P01) at character 15: correct data.query`,
		"SELECT '{}'::json AS j, 1 AS x": `column "j" has the type json, which is not read: leave it out of data.query, ` +
			`or cast it (CAST ... AS text)`,
		"SELECT ARRAY[1, 2] AS a": `column "a" has the type integer[]`,
		"SELECT '\\x00'::bytea":   `has the type bytea`,
		"SELECT nextval('n')":     `relation "n" does not exist`,
	} {
		if _, rows, err := read(t.Context(), name, text, nil); !errors.As(err, new(*table.Error)) || !strings.Contains(err.Error(), want) ||
			rows != nil {
			t.Errorf("%s: %q, %v; want %s", text, rows, err, want)
		}
	}
	if kept := run(t, name, "SELECT x FROM kept"); len(kept[0].Rows) != 1 {
		t.Error("a row was deleted")
	}
}

// faults: an error midway names the row, and the rows before it are read.
func faults(t *testing.T, name string) {
	_, rows, err := read(t.Context(), name, "SELECT 1 / (50000 - i) AS x FROM generate_series(1, 60000) AS i", nil)
	if !errors.As(err, new(*table.Error)) || !strings.HasSuffix(err.Error(),
		":50000: the database cannot be read: ERROR: division by zero (SQLSTATE 22012): correct data.query or the row") || len(rows) != 49999 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	_, rows, err = read(t.Context(), name, "SELECT i, CASE i WHEN 3 THEN repeat('x', 200000000) END FROM generate_series(1, 5) AS i", nil)
	if !errors.As(err, new(*table.Error)) || !strings.Contains(err.Error(), ":3: the row has more than 16384 KiB") || len(rows) != 2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, wrong := range []string{"postgres://nobody@/postgres?host=/nowhere", "postgres://?service=none",
		strings.Replace(name, "/postgres?", "/none?", 1)} {
		if _, _, err := read(t.Context(), wrong, "SELECT 1", nil); !errors.As(err, new(*table.Error)) ||
			!strings.Contains(err.Error(), "check host, database and user") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// dropped: a connection that the server ends is an error, not the end of the table.
func dropped(t *testing.T, name string) {
	ended := false
	_, rows, err := read(t.Context(), name, "SELECT i, repeat('x', 1000) FROM generate_series(1, 100000) AS i", func() {
		if !ended {
			ended = true
			run(t, name, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tskgraph'")
		}
	})
	if !errors.As(err, new(*table.Error)) || !strings.HasSuffix(err.Error(), "the connection was lost: try again") || len(rows) == 0 ||
		len(rows) == 100000 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// interrupted: a context ends a query that gives no row, and rows that are not read, in the server too.
func interrupted(t *testing.T, name string) {
	running := func() int {
		return len(run(t, name, "SELECT 1 FROM pg_stat_activity WHERE application_name = 'tskgraph' AND state = 'active'")[0].Rows)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for running() == 0 && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, _, err := read(ctx, name, "SELECT pg_sleep(1000)::text", nil); !errors.Is(err, context.Canceled) ||
		errors.As(err, new(*table.Error)) {
		t.Errorf("%v", err)
	}
	src := testenv.Must(query(t.Context(), name, "SELECT generate_series(1, 100000000)"))
	var b table.Block
	testenv.OK(t, src.Next(&b))
	testenv.OK(t, src.Close())
	for range 500 {
		if running() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a query is still running")
}

// wrongPassword: the message says what to do, and does not contain the password.
func wrongPassword(t *testing.T, name string) {
	t.Setenv("PGPASSWORD", "Wrong-Zebra-9")
	_, _, err := read(t.Context(), name, "SELECT 1", nil)
	if !errors.As(err, new(*table.Error)) || !strings.Contains(err.Error(), "password authentication failed") ||
		strings.Contains(err.Error(), "Zebra") || !strings.Contains(err.Error(), "PGPASSWORD") {
		t.Errorf("%v", err)
	}
}

// TestCheck: a password in the name is refused, and no message has it.
func TestCheck(t *testing.T) {
	for name, sound := range map[string]bool{
		"postgres://host/db": true, "postgres://user@host:5432/db?sslmode=disable": true, "postgresql://?service=x": true,
		"postgres://?passfile=/x/passwords&require_auth=password": true,
		"postgres:///db?host=/tmp":                                true, "postgres://%2Ftmp/db": true, "postgres://a:1,[::1]:2/db": true,
		"postgres://user%40lab@host/a%20b": true, "postgres://?host=::1,h&port=1,2": true,
		"postgres://?options=-c%20search_path%3Dx": true, "postgres://user%3Asecret@host/db": false,
		"postgres://host/db#password=secret": false, "postgres://user@secret@host/db": false,
		"postgres://host/db?secret": false, "postgres://host/db?user=red:secret": false, "postgres://host/db?user=red%3Asecret": false,
		"postgres://red:1/secret@host/db": false,
		"postgres://red:secret":           false, "postgresql:red:secret@host/db": false, "POSTGRES://host/secret": false,
		"postgres://?dbname=postgres://red:secret@host/db": false,
		"postgres://host/db?options=-cpassword%3Dsecret":   false, "postgres://host/db;password=secret": false,
		"postgres://host/db?host=red:secret": false, "postgres://red%253Asecret@host/db": false,
		"postgres://red%3Asecret%40host/db": false, "postgres://host/db?port=secret": false,
		"postgres://host/db?application_name=red:1@secret": false,
		"postgres://user:secret@host/db":                   false, "postgres://user:@host/db": false, "postgres://host/db?password=secret": false,
		"postgres://host/db?sslPassword=secret": false,
		"postgres://user:secret%zz@host/db":     false, "postgres://host/db?a=%zz;password=secret": false,
		"postgres://host/db?a;password=secret": false,
	} {
		if err := check(name); (err == nil) != sound || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
