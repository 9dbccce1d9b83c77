package browser

import (
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
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
	p.run(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithBrowserContextID(p.profile).WithDownloadPath(dir).WithEventsEnabled(true))
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
