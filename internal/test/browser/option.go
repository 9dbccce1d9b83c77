package browser

import (
	"context"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

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
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-features", "site-per-process,Translate,BlinkGenPropertyTrees,NetworkTimeServiceQuerying"),
	}}
}

// First runs a script in every page and frame before its own.
func First(script string) Option {
	return Option{page: []chromedp.Action{chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	})}}
}
