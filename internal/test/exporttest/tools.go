package exporttest

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Tool returns the path of the first of some programs that is installed. Without one the test is
// skipped, and fails under CI=true.
func Tool(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, names[0])
	return ""
}

// NodeModules returns the directory of node's packages that TSKGRAPH_NODE_MODULES names, if it has
// the package. Otherwise the test is skipped, and fails under CI=true.
func NodeModules(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("TSKGRAPH_NODE_MODULES")
	if info, err := os.Stat(filepath.Join(dir, name)); dir == "" || err != nil || !info.IsDir() {
		missing(t, name)
	}
	return dir
}

// Python returns a Python that can import the modules. Without one the test is skipped, and fails
// under CI=true.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		script := "import sys"
		for _, module := range modules {
			script += ", " + module
		}
		if exec.CommandContext(t.Context(), name, "-c", script).Run() == nil {
			return name
		}
	}
	missing(t, "python3")
	return ""
}

func missing(t testing.TB, name string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed: .ci/run installs it", name)
	}
	t.Skipf("%s is not installed", name)
}

// Worker is a process that answers each line of JSON with one, so that a program that starts
// slowly runs once for many cases.
type Worker struct {
	in  io.Writer
	out *bufio.Reader
}

// Start starts a process, which ends with the test.
func Start(t *testing.T, name string, args ...string) *Worker {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // ended by the context, if not by the end of its input
	})
	return &Worker{in, bufio.NewReader(out)}
}

// Ask sends a question as JSON and reads the answer into the value that answer points to.
func (w *Worker) Ask(t *testing.T, question, answer any) {
	t.Helper()
	line, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	if line, err = w.out.ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		t.Fatalf("%v in %.200q", err, line)
	}
}
