// Package browser opens pages in headless Chromium, for tests.
package browser

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// patience is the time limit of a test's use of the browser.
const patience = 5 * time.Minute

// Page is a page in a browser of its own, or in that of [Main] with a profile of its own.
type Page struct {
	t       testing.TB
	ctx     context.Context
	profile cdp.BrowserContextID // empty: that of a browser of its own

	mu     sync.Mutex
	url    string
	faults []string
}

// shared is the browser of all pages that are opened without options for a browser, if [Main] runs the tests.
var shared struct {
	wanted bool
	once   sync.Once
	ctx    context.Context
	err    error
	close  []context.CancelFunc
}

// Main runs the tests of a package in one browser, for its TestMain.
func Main(m *testing.M) {
	shared.wanted = true
	code := m.Run()
	for _, end := range shared.close {
		end()
	}
	os.Exit(code)
}

// share starts the browser of Main.
func share(options []chromedp.ExecAllocatorOption) {
	allocator, kill := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	shared.ctx, shared.close, shared.err = ctx, []context.CancelFunc{end, kill}, chromedp.Run(ctx)
}

// Open opens a file, or a page of a server, whose address begins with http://, at a width of 1280 pixels. It skips the
// test if Chromium is not installed, and fails it under CI=true.
func Open(t testing.TB, path string, choices ...Option) *Page {
	t.Helper()
	chromium := find(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.Flag("lang", "en"),
		chromedp.WSURLReadTimeout(patience))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	own := !shared.wanted
	var before []chromedp.Action
	for _, o := range choices {
		options, before, own = append(options, o.browser...), append(before, o.page...), own || o.browser != nil
	}
	p := &Page{t: t}
	if own {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		t.Cleanup(cancel)
		ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
		t.Cleanup(cancel)
		p.ctx, cancel = chromedp.NewContext(ctx)
		t.Cleanup(cancel)
	} else {
		if shared.once.Do(func() { share(options) }); shared.err != nil {
			t.Fatal(shared.err)
		}
		ctx, cancel := context.WithTimeout(shared.ctx, patience)
		t.Cleanup(cancel)
		window, err := p.newProfile(ctx)
		if err != nil {
			t.Fatal(err)
		}
		p.ctx, cancel = chromedp.NewContext(ctx, chromedp.WithTargetID(window))
		t.Cleanup(cancel)
	}
	chromedp.ListenTarget(p.ctx, p.watch)
	p.run(network.Enable(), log.Enable(), chromedp.EmulateViewport(1280, 900))
	p.run(before...)
	p.Go(path)
	return p
}

// newProfile makes a profile of the page in a browser, with a window, until the test ends.
func (p *Page) newProfile(ctx context.Context) (window target.ID, err error) {
	if p.profile, err = target.CreateBrowserContext().Do(browserOf(ctx)); err != nil {
		return "", err
	}
	p.t.Cleanup(func() { _ = target.DisposeBrowserContext(p.profile).Do(browserOf(shared.ctx)) })
	return target.CreateTarget("about:blank").WithBrowserContextID(p.profile).WithNewWindow(true).Do(browserOf(ctx))
}

// browserOf sends commands to a browser, not to a page.
func browserOf(ctx context.Context) context.Context {
	return cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser)
}

// Tab opens a file, or a page of a server, in another tab of the same browser.
func (p *Page) Tab(path string) *Page {
	p.t.Helper()
	var choices []chromedp.ContextOption
	if p.profile != "" {
		choices = append(choices, chromedp.WithExistingBrowserContext(p.profile))
	}
	ctx, cancel := chromedp.NewContext(p.ctx, choices...)
	p.t.Cleanup(cancel)
	tab := &Page{t: p.t, ctx: ctx, profile: p.profile}
	chromedp.ListenTarget(ctx, tab.watch)
	tab.run(network.Enable(), log.Enable(), chromedp.EmulateViewport(1280, 900))
	tab.Go(path)
	return tab
}

// Go loads another file, or page of a server, in the page.
func (p *Page) Go(path string) {
	p.t.Helper()
	url := path
	if !strings.HasPrefix(path, "http://") {
		absolute, err := filepath.Abs(path)
		if err != nil {
			p.t.Fatal(err)
		}
		url = "file://" + filepath.ToSlash(absolute)
	}
	p.mu.Lock()
	p.url, p.faults = url, nil
	p.mu.Unlock()
	p.run(chromedp.Navigate(url))
}

// Frame returns a frame of the page that has an origin of its own, as sandboxed ones have, by the end of its address. It waits for
// at most a minute.
func (p *Page) Frame(address string) *Page {
	p.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		all, err := chromedp.Targets(p.ctx)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, one := range all {
			if one.Type != "iframe" || !strings.HasSuffix(one.URL, address) || p.profile != "" && one.BrowserContextID != p.profile {
				continue
			}
			ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(one.TargetID))
			p.t.Cleanup(cancel)
			f := &Page{t: p.t, ctx: ctx, profile: p.profile, url: one.URL}
			chromedp.ListenTarget(ctx, f.watch)
			f.run()
			return f
		}
	}
	p.t.Fatalf("the page has no frame %s", address)
	return nil
}

// find returns the path of Chromium.
func find(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("Chromium is not installed: install the package chromium")
	}
	t.Skip("Chromium is not installed")
	return ""
}

// watch collects the faults of a page from browser events.
func (p *Page) watch(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			fault = fmt.Sprintf("console: %s: %s", e.Type, said(e.Args))
		}
	case *log.EventEntryAdded:
		fault = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		ours := e.Request.URL == p.url || strings.HasPrefix(p.url, "http://") && strings.HasPrefix(e.Request.URL, p.url)
		if !ours && !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:") {
			fault = "request: " + e.Request.URL
		}
	case *page.EventJavascriptDialogOpening:
		fault = "dialog: " + e.Message
		go func() { _ = chromedp.Run(p.ctx, page.HandleJavaScriptDialog(true)) }() // an open dialog blocks the page
	}
	if fault != "" {
		p.faults = append(p.faults, fault)
	}
}

// Faults returns the exceptions, console errors and warnings, dialogs, and requests for anything but the page itself or, if it comes from a
// server, what is below it.
func (p *Page) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults
}

func (p *Page) run(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.t.Fatalf("%v; %s", err, p.Faults())
	}
}

// Evaluate decodes the value of a JavaScript expression.
func (p *Page) Evaluate(expression string, into any) {
	p.t.Helper()
	p.run(chromedp.Evaluate(expression, into))
}

// Run executes statements.
func (p *Page) Run(statements string) {
	p.t.Helper()
	p.run(chromedp.Evaluate("(() => {"+statements+"\n})()", nil))
}

// point is a position in the window, in pixels.
type point struct{ X, Y float64 }

// middle scrolls an element into view and returns its middle.
func (p *Page) middle(selector string) (at point) {
	p.t.Helper()
	p.Evaluate(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({ block: "center" });
		const b = e.getBoundingClientRect(); return { X: b.x + b.width / 2, Y: b.y + b.height / 2 }; })()`, selector), &at)
	return at
}

// Drag presses the mouse in the middle of an element, moves it by pixels to the right, and releases it.
func (p *Page) Drag(selector string, right float64) {
	p.t.Helper()
	at := p.middle(selector)
	p.run(
		input.DispatchMouseEvent(input.MousePressed, at.X, at.Y).WithButton(input.Left).WithButtons(1).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, at.X+right/2, at.Y).WithButton(input.Left).WithButtons(1),
		input.DispatchMouseEvent(input.MouseMoved, at.X+right, at.Y).WithButton(input.Left).WithButtons(1),
		input.DispatchMouseEvent(input.MouseReleased, at.X+right, at.Y).WithButton(input.Left).WithClickCount(1))
}

// Hover moves the mouse to the middle of an element.
func (p *Page) Hover(selector string) {
	p.t.Helper()
	at := p.middle(selector)
	p.run(input.DispatchMouseEvent(input.MouseMoved, at.X, at.Y))
}

// Pages returns the number of pages that are printed, of the size that the style sheet sets.
func (p *Page) Pages() int {
	p.t.Helper()
	var pdf []byte
	p.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).Do(ctx)
		return err
	}))
	return bytes.Count(pdf, []byte("/Type /Page\n"))
}

// Swipe touches the middle of an element, moves the finger by pixels to the right, and lifts it.
func (p *Page) Swipe(selector string, right float64) {
	p.t.Helper()
	at := p.middle(selector)
	touch := func(kind input.TouchType, points ...*input.TouchPoint) chromedp.Action {
		return input.DispatchTouchEvent(kind, points)
	}
	p.run(
		touch(input.TouchStart, &input.TouchPoint{X: at.X, Y: at.Y}),
		touch(input.TouchMove, &input.TouchPoint{X: at.X + right/2, Y: at.Y}),
		touch(input.TouchMove, &input.TouchPoint{X: at.X + right, Y: at.Y}),
		touch(input.TouchEnd))
}

// Await waits until an expression is true, for at most five seconds: figures are redrawn
// with a delay after a change of width.
func (p *Page) Await(expression string) {
	p.t.Helper()
	p.AwaitFor(expression, 5*time.Second)
}

// AwaitFor waits until an expression is true, for at most a while, and reports whether it is; if it is not, the test fails.
func (p *Page) AwaitFor(expression string, while time.Duration) bool {
	p.t.Helper()
	for end := time.Now().Add(while); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var is bool
		if err := chromedp.Run(p.ctx, chromedp.Evaluate(expression, &is)); err == nil && is { // a page being unloaded gives an error
			return true
		}
	}
	p.t.Errorf("%s: still false after %v; %s", expression, while, p.Faults())
	return false
}

// Press focuses an element and types keys, such as those of chromedp/kb.
func (p *Page) Press(selector, keys string) {
	p.t.Helper()
	p.run(chromedp.Focus(selector, chromedp.ByQuery), chromedp.KeyEvent(keys))
}

// Look sets the width in pixels and the preferred colour scheme, light or dark.
func (p *Page) Look(width int64, colours string) {
	p.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}}
	p.run(emulation.SetEmulatedMedia().WithFeatures(features), chromedp.EmulateViewport(width, 900), chromedp.Sleep(300*time.Millisecond))
}

// Screenshot returns the whole page as a PNG.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	var png []byte
	p.run(chromedp.FullScreenshot(&png, 100))
	return png
}

// Window returns the visible part of the page as a PNG, in a tenth of the time of
// Screenshot.
func (p *Page) Window() []byte {
	p.t.Helper()
	var png []byte
	p.run(chromedp.CaptureScreenshot(&png))
	return png
}

// said joins the arguments of a console message.
func said(args []*runtime.RemoteObject) string {
	var words []string
	for _, a := range args {
		words = append(words, string(a.Value)+a.Description)
	}
	return strings.Join(words, " ")
}
