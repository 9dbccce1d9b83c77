package exporttest

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
)

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
