package webtest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// engine runs in a page that has helpers, and reports an outcome to its host.
//
//go:embed testdata/engine.js
var engine string

// outcome is what a page in another engine reports.
type outcome struct {
	Fault, Agent, Model string
	Processors          int
	Rules               float64 // milliseconds from the drop to the rules
}

// TestEngines trains in the page that make web builds in Firefox and WebKit: the model is that of Chromium. .ci/tools installs both with
// TEST_CASES=all.
func TestEngines(t *testing.T) {
	if !testenv.AllCases() {
		t.Skip("make matrix runs it")
	}
	webkit, err := filepath.Glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")
	if err != nil || len(webkit) == 0 {
		t.Fatal("WebKit is not installed: install the package webkit2gtk-driver")
	}
	for name, line := range map[string][]string{"Firefox": {"firefox-esr", "--no-remote", "--profile", t.TempDir()}, "WebKit": {webkit[0]}} {
		t.Run(name, func(t *testing.T) {
			got := visited(t, screen(t), line)
			t.Logf("%s, %d processors: rules after %.1f s", got.Agent, got.Processors, got.Rules/1000)
			if got.Fault != "" {
				t.Fatal(got.Fault)
			}
			if h, want := hash(t, []byte(got.Model)), recorded(t)["heating.csv"]; h != want {
				t.Errorf("the model has the hash %s, that of Chromium %s", h, want)
			}
		})
	}
}

// screen starts a screen that nobody sees until the test ends, and returns its name.
func screen(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("Xvfb", "-displayfd", "1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: install the package xvfb", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var number int
	if _, err := fmt.Fscan(out, &number); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(":%d", number)
}

// visited opens the page on a screen with a command line, and returns what it reports.
func visited(t *testing.T, screen string, line []string) outcome {
	t.Helper()
	root := built(t, dist)
	results := make(chan outcome, 1)
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(root)))
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		index, err := os.ReadFile(filepath.Join(root, "index.html"))
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(bytes.Replace(index, []byte("</head>"), []byte(`<script src="engine.js" defer></script></head>`), 1))
	})
	mux.HandleFunc("/engine.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(helpers + engine))
	})
	mux.HandleFunc("/heating.csv", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, table(t, "heating.csv")) })
	mux.HandleFunc("POST /result", func(_ http.ResponseWriter, r *http.Request) {
		var got outcome
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			got.Fault = err.Error()
		}
		results <- got
	})
	host := httptest.NewServer(mux)
	defer host.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, line[0], append(line[1:], host.URL+"/")...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env = &said, &said, append(os.Environ(), "HOME="+t.TempDir(), "DISPLAY="+screen)
	cmd.WaitDelay = 10 * time.Second // of processes that the browser started
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: install the package %s", err, line[0])
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case got := <-results:
		cancel()
		<-ended
		return got
	case err := <-ended:
		t.Fatalf("%s ended: %v: %s", line[0], err, said.String())
	}
	return outcome{}
}
