package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestFrame checks that statements run in a frame with an origin of its own, and that its faults are seen.
func TestFrame(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := `<!DOCTYPE html><link rel="icon" href="data:,"><title>page</title><iframe sandbox="allow-scripts" src="frame.html"></iframe>`
		if r.URL.Path == "/frame.html" {
			text = `<!DOCTYPE html><title>frame</title><script>window.inner = 7; window.fail = () => nowhere();</script>`
		}
		_, _ = io.WriteString(w, text)
	}))
	defer server.Close()
	p := Open(t, server.URL+"/")
	f := p.Frame("/frame.html")
	f.Await(`inner === 7`)
	f.Run(`setTimeout(fail)`)
	for end := time.Now().Add(5 * time.Second); len(f.Faults()) == 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if faults := strings.Join(f.Faults(), "; "); !strings.Contains(faults, "nowhere is not defined") {
		t.Errorf("the faults of the frame are %q", faults)
	}
	if faults := p.Faults(); len(faults) > 0 {
		t.Errorf("the page around it has faults: %s", faults)
	}
}
