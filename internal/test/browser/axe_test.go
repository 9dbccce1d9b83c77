package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestViolations checks that faults of a page are found, and their impact.
func TestViolations(t *testing.T) {
	script := AxeScript(t)
	dir := t.TempDir()
	write := func(body string) string {
		path := filepath.Join(dir, "page.html")
		text := `<!DOCTYPE html><html lang="en"><link rel="icon" href="data:,"><title>page</title><main><h1>page</h1>` + body + `</main></html>`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p := Open(t, write(`<p>sound</p>`))
	if found := AxeViolations(p, script); len(found) > 0 {
		t.Errorf("a sound page: %q", found)
	}
	p.Go(write(`<p style="color: #eee; background: white">pale</p><button></button>`))
	found := AxeViolations(p, script)
	if text := strings.Join(found, "\n"); len(found) != 2 || !strings.Contains(text, "color-contrast (serious)") ||
		!strings.Contains(text, "button-name (critical)") || !AxeSerious(found[0]) || !AxeSerious(found[1]) {
		t.Errorf("a faulty page: %q", found)
	}
	if AxeSerious("region (moderate): <p>") {
		t.Error("what is moderate is serious")
	}
}
