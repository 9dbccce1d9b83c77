package testenv

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// PostgresUser and Password are those of the superuser of a server.
const (
	PostgresUser = "tester"
	Password     = "Correct-Horse-7"
)

// StartPostgres starts a server in a temporary directory, which the test stops at its end, sets PGPASSWORD, and returns the URL of
// its database postgres. Without PostgreSQL the test is skipped, and fails under CI=true.
func StartPostgres(t testing.TB) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(found) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("PostgreSQL is not installed: .ci/run installs Debian's package postgresql")
		}
		t.Skip("PostgreSQL is not installed (Debian's package postgresql)")
	}
	bin := found[len(found)-1]
	dir, err := os.MkdirTemp("", "postgres") // that of t is closed to the user who runs the server, and its path may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	secret := filepath.Join(dir, "password")
	if err := os.WriteFile(secret, []byte(Password+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var as []string
	if os.Geteuid() == 0 { // as root no server starts
		as = []string{"runuser", "-u", "postgres", "--"}
		own(t, dir)
	}
	run := func(args ...string) {
		t.Helper()
		args = slices.Concat(as, args)
		cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
		cmd.Dir = dir
		if err := cmd.Run(); err != nil { // its output would be held open by the server
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Fatalf("%s: %v\n%s", args, err, log)
		}
	}
	db := filepath.Join(dir, "db")
	run(filepath.Join(bin, "initdb"), "-D", db, "-U", PostgresUser, "--pwfile", secret, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C",
		"--no-sync")
	run(filepath.Join(bin, "pg_ctl"), "-D", db, "-w", "-l", filepath.Join(dir, "log"), "-o", "-c listen_addresses='' -c fsync=off -k "+dir,
		"start")
	t.Cleanup(func() { run(filepath.Join(bin, "pg_ctl"), "-D", db, "-m", "immediate", "stop") })
	t.Setenv("PGPASSWORD", Password)
	return (&url.URL{Scheme: "postgres", User: url.User(PostgresUser), Path: "/postgres",
		RawQuery: url.Values{"host": {dir}}.Encode()}).String()
}

// own gives a directory to the user postgres.
func own(t testing.TB, dir string) {
	t.Helper()
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, uid, -1); err != nil {
		t.Fatal(err)
	}
}
