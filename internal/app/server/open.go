package server

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// openWithin is how long the command that opens a browser is waited for: one that runs longer is the browser.
const openWithin = 3 * time.Second

// Open opens the page in the browser of this desktop. Other users can see the command lines of programs, so the browser is not
// given the address but a file in an existing directory, which only its owner can read and which leads there; it is removed when the page
// is loaded, or by the end of Serve.
func (s *Server) Open(ctx context.Context, dir string) error {
	path, err := s.page.open.write(dir, s.URL())
	if err != nil {
		return err
	}
	words, err := opener(runtime.GOOS, os.Getenv, exec.LookPath)
	if err == nil {
		err = run(ctx, append(words, path))
	}
	if err != nil {
		s.page.open.remove()
	}
	return err
}

// opener returns the words of the command that opens a file in the browser of a system.
func opener(system string, env func(string) string, find func(string) (string, error)) ([]string, error) {
	switch system {
	case "darwin":
		return []string{"open"}, nil
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}, nil
	}
	if env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "" && env("BROWSER") == "" {
		return nil, errors.New("there is no display")
	}
	for _, name := range []string{"xdg-open", "wslview"} {
		if _, err := find(name); err == nil {
			return []string{name}, nil
		}
	}
	return nil, errors.New("xdg-open is not installed")
}

// run starts a command, and waits for it to fail for the time openWithin.
func run(ctx context.Context, words []string) error {
	cmd := exec.Command(words[0], words[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w", words[0], err)
		}
	case <-time.After(openWithin):
	case <-ctx.Done():
	}
	return nil
}

// redirection is the file that leads the browser to the page.
type redirection struct {
	mu   sync.Mutex
	path string // empty: there is none
}

// write writes the file to a directory.
func (r *redirection) write(dir, url string) (path string, err error) {
	f, err := os.CreateTemp(dir, "open-workbench-*.html") // of mode 0600
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path, err = filepath.Abs(f.Name()); err != nil {
		r.path = f.Name()
	}
	to := html.EscapeString(url)
	_, err = io.WriteString(f, `<!DOCTYPE html>
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>tskgraph workbench</title>
<meta http-equiv="refresh" content="0; url=`+to+`">
<p><a href="`+to+`">Open the workbench</a></p>
`)
	return r.path, errors.Join(err, f.Close())
}

// remove removes the file, if there is one.
func (r *redirection) remove() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path != "" {
		_ = os.Remove(r.path) // the user may have removed it, and its token ends with this process
		r.path = ""
	}
}
