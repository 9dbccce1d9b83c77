package worker

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// process is a worker process.
type process struct {
	cmd   *exec.Cmd
	leash io.Closer     // its standard input
	last  *tail         // what it printed
	gone  chan struct{} // closed when it has ended
	end   string        // how; read it when gone

	stopped atomic.Bool // it was killed by us
}

// launch starts this program as a worker on some of the processors. What it prints is written to said, too.
func launch(processors int, said io.Writer, args ...string) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &process{cmd: exec.Command(program, args...), last: &tail{}, gone: make(chan struct{})}
	w.cmd.Env = append(os.Environ(), leashed+"=1", "GOMAXPROCS="+strconv.Itoa(processors))
	w.cmd.Stderr = io.MultiWriter(w.last, said)
	w.cmd.Stdout = w.cmd.Stderr
	if w.leash, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		err := w.cmd.Wait()
		how := "it said that it was done"
		if err != nil {
			how = err.Error()
		}
		if line := w.last.reason(); line != "" {
			how = line
		}
		w.end = fmt.Sprintf("worker process %d ended (%s)", w.cmd.Process.Pid, how)
		close(w.gone)
	}()
	return w, nil
}

// kill ends the process, which has nothing to save: what it writes gets its name when it is whole.
func (w *process) kill() {
	w.stopped.Store(true)
	_ = w.leash.Close()
	_ = w.cmd.Process.Kill() // it may have ended
}

// tail keeps the end of what a process prints.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(len(t.text)-1<<14, 0):]
	return len(p), nil
}

// reason returns the line in which a program of Go says why it ended, if it does.
func (t *tail) reason() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(t.text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return line
		}
	}
	return ""
}
