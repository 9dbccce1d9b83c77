package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFaults checks that every kind of fault is reported, and none for a sound page.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	write := func(name, script string) string {
		path := filepath.Join(dir, name)
		text := `<!DOCTYPE html><link rel="icon" href="data:,"><p id="p">sound</p><script>` + script + `</script>`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p := Open(t, write("sound.html", `console.log("sound")`))
	var text string
	if p.Evaluate(`document.querySelector("#p").textContent`, &text); text != "sound" || len(p.Faults()) > 0 {
		t.Errorf("%q, %s", text, p.Faults())
	}
	for script, want := range map[string]string{
		`console.error("bad", 1)`: "console: error",
		`nowhere()`:               "exception",
		`alert("hello")`:          "dialog: hello",
		`fetch("http://127.0.0.1:9/x").catch(() => {})`:                    "request: http://127.0.0.1:9/x",
		`document.body.append(Object.assign(new Image(), {src: "a.png"}))`: "a.png",
	} {
		p.Go(write("faulty.html", script))
		p.Await(`document.readyState === "complete"`)
		got := ""
		for end := time.Now().Add(5 * time.Second); !strings.Contains(got, want) && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			got = strings.Join(p.Faults(), "; ")
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}
