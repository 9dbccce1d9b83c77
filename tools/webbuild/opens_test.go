package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// TestOpens checks that the page's program starts, from a static host and from the disk: the page lists the built-in tables, and shows
// no fault.
func TestOpens(t *testing.T) {
	files, err := page()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := save(files, dir); err != nil {
		t.Fatal(err)
	}
	host := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer host.Close()
	p := browser.Open(t, host.URL+"/")
	for _, address := range []string{host.URL + "/", filepath.Join(dir, "index.html")} {
		p.Go(address)
		if !p.AwaitFor(`document.body.textContent.includes("mackey-glass")`, patience) {
			var text string
			p.Evaluate(`document.body.innerText`, &text)
			t.Errorf("%s: %s", address, text)
		}
		for _, fault := range p.Faults() {
			if !strings.HasPrefix(fault, "request: file://") { // the page's own files
				t.Errorf("%s: %s", address, fault)
			}
		}
	}
}
