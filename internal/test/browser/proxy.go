package browser

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"sync"
	"testing"
)

// ofChromium are hosts that Chromium asks by itself whatever page it shows: for updates, for who is signed in, and what fields and pages are. They
// are refused, too.
var ofChromium = []string{"update.googleapis.com", "accounts.google.com", "clients2.google.com", "content-autofill.googleapis.com", "optimizationguide-pa.googleapis.com"}

// Proxy passes on the requests of a browser to some hosts, and refuses all others. It sees those of workers and frames, which the events of a page
// do not have.
type Proxy struct {
	server *httptest.Server
	hosts  []string

	mu      sync.Mutex
	all     []string
	refused []string
}

// NewProxy starts a proxy to hosts, such as 127.0.0.1:8080.
func NewProxy(t testing.TB, hosts ...string) *Proxy {
	p := &Proxy{hosts: hosts}
	forward := &httputil.ReverseProxy{
		Rewrite:       func(*httputil.ProxyRequest) {}, // requests to a proxy have a whole address
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0), // of requests that the page ends
	}
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.take(r) {
			// A server closes the body of a request when its answer begins, although the proxy may still be reading the body's end: whole, it is
			// not read then, and answers do not end early.
			body, err := io.ReadAll(r.Body)
			if err == nil {
				r.Body = io.NopCloser(bytes.NewReader(body))
				forward.ServeHTTP(w, r)
			}
			return
		}
		http.Error(w, "this host is not part of the test", http.StatusForbidden)
	}))
	t.Cleanup(p.server.Close)
	return p
}

// take records a request, and reports whether it is passed on.
func (p *Proxy) take(r *http.Request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(ofChromium, r.URL.Hostname()) {
		return false
	}
	name := r.Method + " " + r.URL.String()
	p.all = append(p.all, name)
	if r.Method != http.MethodConnect && slices.Contains(p.hosts, r.URL.Host) {
		return true
	}
	p.refused = append(p.refused, name)
	return false
}

// Requests returns all requests of pages so far, in their order: methods and addresses.
func (p *Proxy) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all)
}

// Refused returns the requests to other hosts.
func (p *Proxy) Refused() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.refused)
}
