package browser

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// Drop drops files on the middle of an element, as a person drags them from the desktop.
func (p *Page) Drop(selector string, paths ...string) {
	p.t.Helper()
	at := p.middle(selector)
	const copies = 1
	data := &input.DragData{Items: []*input.DragDataItem{}, DragOperationsMask: copies}
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			p.t.Fatal(err)
		}
		data.Files = append(data.Files, absolute)
	}
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		p.run(input.DispatchDragEvent(kind, at.X, at.Y, data))
	}
}

// Choose gives files to a field for files, as its dialog does.
func (p *Page) Choose(selector string, paths ...string) {
	p.t.Helper()
	p.run(chromedp.SetUploadFiles(selector, paths, chromedp.ByQuery))
}

// Download runs statements that save one file, and returns its name and what it has. It waits for at most ten seconds.
func (p *Page) Download(statements string) (name string, text []byte) {
	p.t.Helper()
	dir := p.t.TempDir()
	p.run(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithBrowserContextID(p.profile).
		WithDownloadPath(dir).WithEventsEnabled(true))
	p.Run(statements)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		found, err := os.ReadDir(dir)
		if err != nil {
			p.t.Fatal(err)
		}
		if len(found) != 1 || filepath.Ext(found[0].Name()) == ".crdownload" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, found[0].Name()))
		if err != nil {
			p.t.Fatal(err)
		}
		return found[0].Name(), text
	}
	p.t.Fatalf("%s: no file was saved; %s", statements, p.Faults())
	return "", nil
}

// Memory returns the largest resident memory that the renderers of a page's browser had, in bytes: those of the page and
// its workers, and of its frames with an origin of their own. It reads /proc, as on Linux.
func Memory(p *Page) (peaks []int64) {
	p.t.Helper()
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		all, err := systeminfo.GetProcessInfo().Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
		if err != nil {
			return err
		}
		for _, one := range all {
			if one.Type != "renderer" {
				continue
			}
			peak, err := peakOf(one.ID)
			if err != nil {
				return err
			}
			peaks = append(peaks, peak)
		}
		return nil
	}))
	return peaks
}

// peakOf returns the largest resident memory that a process had.
func peakOf(pid int64) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
			return kilobytes << 10, nil
		}
	}
	return 0, fmt.Errorf("process %d: its peak is unknown", pid)
}

// Option is how a browser is started, or what it does before it opens a page.
type Option struct {
	browser []chromedp.ExecAllocatorOption
	page    []chromedp.Action
}

// Through sends all requests of the browser, those to this machine too, through a proxy. What Chromium asks
// its maker for is turned off as far as it can be.
func Through(p *Proxy) Option {
	return Option{browser: []chromedp.ExecAllocatorOption{
		chromedp.ProxyServer(p.server.URL), chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-features",
			"site-per-process,Translate,BlinkGenPropertyTrees,NetworkTimeServiceQuerying"),
	}}
}

// First runs a script in every page and frame before its own.
func First(script string) Option {
	return Option{page: []chromedp.Action{chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	})}}
}

// ofChromium are hosts that Chromium asks by itself whatever page it shows: for updates, for who is signed in, and what
// fields and pages are. They are refused, too.
var ofChromium = []string{"update.googleapis.com", "accounts.google.com", "clients2.google.com", "content-autofill.googleapis.com",
	"optimizationguide-pa.googleapis.com"}

// Proxy passes on the requests of a browser to some hosts, and refuses all others. It sees those of workers and frames,
// which the events of a page do not have.
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
