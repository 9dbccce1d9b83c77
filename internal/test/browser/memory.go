package browser

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// Memory returns the largest resident memory that the renderers of a page's browser had, in bytes: those of the page and its workers, and of its
// frames with an origin of their own. It reads /proc, as on Linux.
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
