package axe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// TestViolations checks that faults of a page are found, and their impact.
func TestViolations(t *testing.T) {
	script := Script(t)
	dir := t.TempDir()
	write := func(body string) string {
		path := filepath.Join(dir, "page.html")
		text := `<!DOCTYPE html><html lang="en"><link rel="icon" href="data:,"><title>page</title><main><h1>page</h1>` + body + `</main></html>`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p := browser.Open(t, write(`<p>sound</p>`))
	if found := Violations(p, script); len(found) > 0 {
		t.Errorf("a sound page: %q", found)
	}
	p.Go(write(`<p style="color: #eee; background: white">pale</p><button></button>`))
	found := Violations(p, script)
	if text := strings.Join(found, "\n"); len(found) != 2 || !strings.Contains(text, "color-contrast (serious)") ||
		!strings.Contains(text, "button-name (critical)") || !Serious(found[0]) || !Serious(found[1]) {
		t.Errorf("a faulty page: %q", found)
	}
	if Serious("region (moderate): <p>") {
		t.Error("what is moderate is serious")
	}
}
