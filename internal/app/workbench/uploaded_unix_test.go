//go:build unix

package workbench

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestUploadPipe: pipes in the directory of the tables are neither opened nor tables.
func TestUploadPipe(t *testing.T) {
	b, dir := uploads(t)
	for _, name := range []string{"p.csv", ".q.csv.json"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"p.csv": "p-2.csv", "q.csv": "q-2.csv"} {
		if got, err := b.Upload(name, strings.NewReader("a,y\n1,2\n")); got != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if s, _ := ask[started](t, b, "start", "{}"); strings.Join(s.Tables, " ") != "p-2.csv q-2.csv t.csv" {
		t.Errorf("%q", s.Tables)
	}
	ask[removed](t, b, "forget", "{}")
}
