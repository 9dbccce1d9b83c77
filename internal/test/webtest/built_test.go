package webtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// work is a directory for what all tests share.
var work string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "tskgraph-webtest-*")
	if err != nil {
		panic(err)
	}
	work = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// dist builds the page for a static host.
var dist = sync.OnceValues(func() (string, error) {
	out := filepath.Join(work, "dist")
	return out, tool("-C", "tools", "run", "./release", "page", "-draft", "-out", out)
})

// command builds tskgraph.
var command = sync.OnceValues(func() (string, error) {
	out := filepath.Join(work, "native", "tskgraph")
	return out, tool("build", "-ldflags=-w", "-o", out, "./cmd/tskgraph")
})

// portable builds tskgraph without assembly, its own and that of gonum, which the page in the browser does not have
// either, and without parts that take long to compile.
var portable = sync.OnceValues(func() (string, error) {
	out := filepath.Join(work, "portable", "tskgraph")
	return out, tool("build", "-ldflags=-w", "-tags", "purego,noasm,nodatabases,nofigures", "-o", out, "./cmd/tskgraph")
})

// tool runs the go command at the root of the checkout.
func tool(args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.FromSlash("../../..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w: %s", args[0], err, out)
	}
	return nil
}

// built returns what was built once.
func built(t testing.TB, build func() (string, error)) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
