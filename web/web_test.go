package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/browser"
)

// fakePage writes the page with the stand-in for an engine, and returns the path of its index.html.
func fakePage(t *testing.T) string {
	t.Helper()
	fake, err := os.ReadFile("testdata/fake.js")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range assemble("fake", string(fake)) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "index.html")
}

func TestPageUnknownEngine(t *testing.T) {
	if _, err := Page("../main"); err == nil || !strings.Contains(err.Error(), "no engine") {
		t.Errorf("got %v", err)
	}
}

func TestSteps(t *testing.T) {
	p := browser.Open(t, fakePage(t))
	p.Await(`document.querySelectorAll(".card").length === 5`)
}
