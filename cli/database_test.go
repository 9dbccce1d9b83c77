//go:build !nodatabases

package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ncruces/go-sqlite3"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

const plants = "SELECT * FROM plants ORDER BY id"

// commands runs commands in a directory of their own, and collects what they print.
type commands struct {
	*testing.T
	dir     string
	printed bytes.Buffer
}

// run runs a command and returns its exit code and standard error.
func (c *commands) run(args ...string) (int, string) {
	c.Helper()
	return c.runIn(c.Context(), args...)
}

func (c *commands) runIn(ctx context.Context, args ...string) (int, string) {
	var stderr bytes.Buffer
	code := run(ctx, args, nil, &c.printed, &stderr)
	c.printed.Write(stderr.Bytes())
	return code, stderr.String()
}

// must runs a command that succeeds.
func (c *commands) must(args ...string) {
	c.Helper()
	if code, stderr := c.run(args...); code != 0 {
		c.Fatalf("%q: exit code %d: %s", args, code, stderr)
	}
}

// training returns the arguments of a short training on a table.
func (c *commands) training(path, query string) []string {
	return []string{"train", "--set", "preset=paper", "--set", "data.path=" + path, "--set", "data.query=" + query, "--set", "data.target=y",
		"--set", "data.ignore=id", "--set", "data.missing=mean", "--set", "train.iterations=20", "--set", "output.dir=" +
			filepath.Join(c.dir, "runs")}
}

func (c *commands) read(name string) string {
	c.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		c.Fatal(err)
	}
	return string(text)
}

// tables writes one table as CSV, to SQLite and to PostgreSQL, and returns their names.
func (c *commands) tables(server string) (csv, lite string) {
	rng := rand.New(rand.NewPCG(1, 1))
	text, insert := "id,a,b,kind,y\n", "CREATE TABLE plants (id int, a double precision, b numeric, kind text, y double precision);"
	for id := range 300 {
		a, b, kind := rng.Float64(), fmt.Sprintf("%.2f", rng.Float64()), []string{"u", "v"}[rng.IntN(2)]
		y, null := a*a+rng.Float64(), b
		if id%50 == 7 {
			b, null = "", "NULL"
		}
		text += fmt.Sprintf("%d,%v,%s,%s,%v\n", id, a, b, kind, y)
		insert += fmt.Sprintf("INSERT INTO plants VALUES (%d, %v, %s, '%s', %v);", id, a, null, kind, y)
	}
	csv, lite = filepath.Join(c.dir, "plants.csv"), filepath.Join(c.dir, "plants.db")
	if err := os.WriteFile(csv, []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
	db, err := sqlite3.Open("file:" + lite)
	if err != nil {
		c.Fatal(err)
	}
	defer db.Close()
	if err := db.Exec("BEGIN;" + insert + "COMMIT;"); err != nil {
		c.Fatal(err)
	}
	conn, err := pgconn.Connect(c.Context(), server)
	if err != nil {
		c.Fatal(err)
	}
	defer conn.Close(c.Context())
	if _, err := conn.Exec(c.Context(), insert).ReadAll(); err != nil {
		c.Fatal(err)
	}
	return csv, "sqlite:" + lite
}

// TestDatabases: a table in a database gives the model of the same table as CSV, predictions and errors too; no fault changes what is
// there, and nothing that is written contains the password.
func TestDatabases(t *testing.T) {
	server := testenv.StartPostgres(t)
	c := &commands{T: t, dir: t.TempDir()}
	csv, lite := c.tables(server)
	c.must(c.training(csv, "")...)
	model := filepath.Join(c.dir, "runs", "plants-gaussian-001", "model.json")
	for i, table := range []string{lite, server} {
		dir := fmt.Sprintf("runs/%s-gaussian-00%d", []string{"plants", "postgres"}[i], 2-i)
		c.must(c.training(table, plants)...)
		if c.read(dir+"/model.json") != c.read("runs/plants-gaussian-001/model.json") {
			t.Errorf("%s: the model differs from that of the CSV file", table)
		}
		out := filepath.Join(c.dir, fmt.Sprint(i))
		c.must("predict", "--model", model, "--data", csv, "--out", out+".csv")
		c.must("predict", "--model", model, "--data", table, "--query", plants, "--out", out+".db.csv")
		if csv, db := lastCells(c.read(fmt.Sprint(i, ".csv"))), lastCells(c.read(fmt.Sprint(i, ".db.csv"))); csv != db {
			t.Errorf("%s: predictions %.200s, want %.200s", table, db, csv)
		}
		c.must("evaluate", "--model", model, "--data", table, "--query", plants)
		c.must("init", table, "--query", plants, "--out", out+".yaml")
		c.must("config", "check", "--config", out+".yaml")
	}
	c.faults(server, lite, model)
	c.interrupts(server, model)
	c.resumes(server)
	c.secrets()
}

// lastCells returns the last cell of each line.
func lastCells(text string) string {
	var cells strings.Builder
	for line := range strings.Lines(text) {
		cells.WriteString(line[strings.LastIndexByte(line, ',')+1:])
	}
	return cells.String()
}

// faults: each has its exit code and says what to do; what is there stays.
func (c *commands) faults(server, lite, model string) {
	kept := filepath.Join(c.dir, "kept.csv")
	if err := os.WriteFile(kept, []byte("as it was"), 0o600); err != nil {
		c.Fatal(err)
	}
	secret, err := url.Parse(server)
	if err != nil {
		c.Fatal(err)
	}
	secret.User = url.UserPassword(testenv.PostgresUser, testenv.Password)
	before := c.entries()
	predict := func(table, query string) []string {
		return []string{"predict", "--model", model, "--data", table, "--query", query, "--out", kept}
	}
	midway := "SELECT i AS id, 1 / (50000 - i) AS a, 1 AS b, 'u' AS kind, i AS y FROM (SELECT generate_series(1, 60000) AS i ORDER BY 1) AS s"
	for _, test := range []struct {
		code int
		want string
		args []string
	}{
		{message.ExitData, "50000: the database cannot be read: ERROR: division by zero", predict(server, midway)},
		{message.ExitData, "50000: the database cannot be read: ERROR: division by zero", c.training(server, midway)},
		{message.ExitData, "does not exist (SQLSTATE 42P01)", predict(server, "SELECT * FROM none")},
		{message.ExitData, "no such table: none", c.training(lite, "SELECT * FROM none ORDER BY id")},
		{message.ExitData, "no such file or directory: correct data.path", c.training(lite+"x", plants)},
		{message.ExitUsage, "data.query: a database needs a query", c.training(lite, "")},
		{message.ExitUsage, "data.query: without ORDER BY", c.training(lite, "SELECT * FROM plants")},
		{message.ExitUsage, "data.query: applies to a database only", predict(kept, plants)},
		{message.ExitUsage, "leave it out and set PGPASSWORD", c.training(secret.String(), plants)},
		{message.ExitUsage, "leave it out and set PGPASSWORD", predict(secret.String(), plants)},
		{message.ExitUsage, "leave it out and set PGPASSWORD", []string{"init", secret.String(), "--query", plants, "--out", kept + ".yaml"}},
		{message.ExitUsage, "leave it out and set PGPASSWORD", predict("postgres://red%3A"+testenv.Password+"@host/db", plants)},
		{message.ExitUsage, "leave it out and set PGPASSWORD", []string{"experiment", "--data", secret.String()}},
		{message.ExitUsage, "looks like a connection string", predict("host=h password="+testenv.Password, plants)},
		{message.ExitUsage, "no registered format reads tables at \"mysql://\"",
			predict(strings.Replace(secret.String(), "postgres:", "mysql:", 1), plants)},
	} {
		if code, stderr := c.run(test.args...); code != test.code || !strings.Contains(stderr, test.want) {
			c.Errorf("%q: exit code %d, %s; want %d, %s", test.args, code, stderr, test.code, test.want)
		}
	}
	if after := c.entries(); after != before || c.read("kept.csv") != "as it was" {
		c.Errorf("left %s, had %s", after, before)
	}
}

// interrupts: an interrupt ends a query that gives no row.
func (c *commands) interrupts(server, model string) {
	before := c.entries()
	const endless = "SELECT 1 AS id, 1 AS a, 1 AS b, 'u' AS kind, 1 AS y FROM pg_sleep(1000) ORDER BY id"
	for _, args := range [][]string{c.training(server, endless),
		{"predict", "--model", model, "--data", server, "--query", endless, "--out", filepath.Join(c.dir, "none.csv")}} {
		ctx, cancel := context.WithCancel(c.Context())
		time.AfterFunc(200*time.Millisecond, cancel)
		if code, stderr := c.runIn(ctx, args...); code != message.ExitInterrupted {
			c.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
	if after := c.entries(); after != before {
		c.Errorf("left %s, had %s", after, before)
	}
}

// resumes: a resumed training sends the query again and writes the model of an uninterrupted one; other rows are refused.
func (c *commands) resumes(server string) {
	args := append(c.training(server, plants), "--set", "train.iterations=4000")
	c.must(args...)
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	name := "runs/postgres-gaussian-003/"
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(c.dir, name, "checkpoint.json")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if code, stderr := c.runIn(ctx, args...); code != message.ExitInterrupted {
		c.Fatalf("exit code %d, %s", code, stderr)
	}
	change := func(statement string) {
		conn, err := pgconn.Connect(c.Context(), server)
		if err != nil {
			c.Fatal(err)
		}
		defer conn.Close(c.Context())
		if _, err := conn.Exec(c.Context(), statement).ReadAll(); err != nil {
			c.Fatal(err)
		}
	}
	change("CREATE TABLE old AS SELECT * FROM plants")
	resume := []string{"train", "--resume", filepath.Join(c.dir, name)}
	change("UPDATE plants SET y = y + 1 WHERE id = 3")
	if code, stderr := c.run(resume...); code != message.ExitData || !strings.Contains(stderr, "training part") {
		c.Errorf("changed rows: exit code %d, %s", code, stderr)
	}
	change("UPDATE plants SET y = old.y FROM old WHERE old.id = plants.id")
	c.must(resume...)
	if c.read(name+"model.json") != c.read("runs/postgres-gaussian-002/model.json") {
		c.Error("the resumed training gave another model")
	}
}

// entries lists the files in the directory.
func (c *commands) entries() string {
	c.Helper()
	var all strings.Builder
	err := filepath.WalkDir(c.dir, func(path string, _ os.DirEntry, err error) error {
		all.WriteString(path + "\n")
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return all.String()
}

// secrets: no file and nothing printed contains the password.
func (c *commands) secrets() {
	files := 0
	for path := range strings.Lines(c.entries()) {
		text, err := os.ReadFile(strings.TrimSuffix(path, "\n"))
		if err != nil {
			continue // a directory
		}
		files++
		if bytes.Contains(text, []byte(testenv.Password)) {
			c.Errorf("%s contains the password", path)
		}
	}
	if files < 20 || c.printed.Len() < 1000 || !bytes.Contains(c.printed.Bytes(), []byte(testenv.PostgresUser)) {
		c.Errorf("only %d files and %d bytes were searched", files, c.printed.Len())
	}
	if bytes.Contains(c.printed.Bytes(), []byte(testenv.Password)) {
		c.Errorf("printed the password: %s", &c.printed)
	}
}
