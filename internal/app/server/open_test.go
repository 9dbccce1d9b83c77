package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpener checks which command opens a browser: none where there is no display, since it might be a browser for terminals.
func TestOpener(t *testing.T) {
	for _, c := range []struct{ system, env, installed, want string }{
		{"darwin", "", "", "open"},
		{"windows", "", "", "rundll32 url.dll,FileProtocolHandler"},
		{"linux", "", "xdg-open", "there is no display"},
		{"linux", "DISPLAY", "", "xdg-open is not installed"},
		{"linux", "DISPLAY", "xdg-open wslview", "xdg-open"},
		{"linux", "WAYLAND_DISPLAY", "wslview", "wslview"},
		{"freebsd", "BROWSER", "xdg-open", "xdg-open"},
	} {
		words, err := opener(c.system, func(name string) string {
			if name == c.env {
				return "x"
			}
			return ""
		}, func(name string) (string, error) {
			if strings.Contains(c.installed, name) {
				return name, nil
			}
			return "", errors.New("not found")
		})
		got := strings.Join(words, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %s", c, got)
		}
	}
}

// TestOpenFile checks that the file that leads to the page is removed by the end of the server, and that a directory without room for it is
// an error.
func TestOpenFile(t *testing.T) {
	s, end := started(t, newBench(), nil)
	path, err := s.page.open.write(t.TempDir(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `content="0; url=`+s.URL()+`"`) {
		t.Errorf("%s, %v", text, err)
	}
	end()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("it is left: %v", err)
	}
	if err := s.Open(t.Context(), filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("no directory: %v", err)
	}
}
