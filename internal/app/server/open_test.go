package server

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
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

// TestEngine checks that the page's engine calls, stops, uploads and reports errors in a browser, under the policy of the page.
func TestEngine(t *testing.T) {
	engine, err := os.ReadFile(filepath.FromSlash("../../../web/page/engine-server.js"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench()
	s, end := started(t, b, func(s *Server) {
		s.page.files = map[string][]byte{
			"index.html": []byte(`<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><title>page</title><script ` +
				`src="app.js"></script>`),
			"app.js": append(engine, "\nwindow.engine = engine;"...),
		}
	})
	path, err := s.page.open.write(t.TempDir(), s.URL())
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	p := browser.Open(t, path) // as Open does
	p.Await(`location.href === "` + s.URL() + `" && "engine" in window`)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file that leads to the page is left: %v", err)
	}
	p.Go(s.URL())
	p.Run(`window.said = [];
		const tell = (what) => (value) => said.push(what + " " + JSON.stringify(value instanceof Error ? [value.kind, value.message] : value));
		const stop = new AbortController();
		(async () => {
			await engine.call("echo", { a: "größe <b>" }).then(tell("echo"));
			await engine.call("nonsense").catch(tell("nonsense"));
			let events = 0;
			await engine.call("flood", {}, { onEvent: (e) => { events++; if (e.event === "note") tell("note")(e.message); } }).then(tell("flood"));
			await engine.call("train", {}, { signal: stop.signal, onEvent: (e) => { tell("event")(e.done); stop.abort(); } }).then(tell("train"));
			await engine.call("train", {}, { signal: AbortSignal.abort() }).then(tell("train"));
			let sent = 0;
			await engine.upload(new File(["x,y\n1,2\n"], "a b#%.csv"), (n, all) => { sent = n / all; }).then(tell("upload"));
			tell("sent")(sent);
			await engine.upload(new File([""], "a/b.csv")).catch(tell("slash"));
			await engine.upload(new File([new Uint8Array(3e7)], "full.csv")).catch(tell("full"));
		})().then(() => { window.done = true; });`)
	p.Await(`window.done`)
	var said []string
	p.Evaluate(`said`, &said)
	want := []string{
		`echo {"a":"größe <b>"}`, `nonsense ["failed","no such method"]`, `note "<done>"`, `flood 100000`,
		`event 1`, `train {"stopped":true}`, `train {"stopped":true}`, `upload "a b#%.csv"`, `sent 1`, `slash ["failed","404 page not found\n"]`,
		`full ["failed","no space left on device"]`,
	}
	if strings.Join(said, "\n") != strings.Join(want, "\n") {
		t.Errorf("it says\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	if b.tables["a b#%.csv"] != "x,y\n1,2\n" {
		t.Errorf("saved %q", b.tables)
	}
	end()
	p.Run(`engine.call("echo").catch((e) => { window.gone = e.message; });`)
	p.Await(`window.gone?.startsWith("The workbench does not answer")`)
}
