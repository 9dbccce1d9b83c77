package webtest

import (
	"bufio"
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// helpers run in the page before its own script: they press buttons by their texts, and record tasks that block the page.
//
//go:embed testdata/helpers.js
var helpers string

// visit is a page in a browser, with all that it asks for.
type visit struct {
	*browser.Page
	t     testing.TB
	proxy *browser.Proxy
	url   string
	dir   string // where the workbench runs, or is to be compared with a command
}

// engines are where a page trains.
var engines = map[string]func(t testing.TB, more ...browser.Option) *visit{"browser": openStatic, "workbench": openWorkbench}

// openStatic opens the page from a static host.
func openStatic(t testing.TB, more ...browser.Option) *visit {
	t.Helper()
	host := httptest.NewServer(http.FileServer(http.Dir(built(t, dist))))
	t.Cleanup(host.Close)
	return open(t, host.URL+"/", t.TempDir(), more...)
}

// openWorkbench opens the page from the command tskgraph workbench.
func openWorkbench(t testing.TB, more ...browser.Option) *visit {
	t.Helper()
	dir := t.TempDir()
	return open(t, startWorkbench(t, dir), dir, more...)
}

// startWorkbench runs tskgraph workbench in a directory until the test ends, and returns the address that it prints.
func startWorkbench(t testing.TB, dir string) string {
	t.Helper()
	cmd := exec.Command(built(t, command), "workbench", "--no-open")
	cmd.Dir, cmd.Env = dir, environment()
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("tskgraph workbench: %v: %s", err, said.String())
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url := regexp.MustCompile(`http://\S+/`).FindString(lines.Text()); url != "" {
			return url
		}
	}
	t.Fatalf("tskgraph workbench prints no address: %s", said.String())
	return ""
}

// open opens a page and waits until it can be used.
func open(t testing.TB, url, dir string, more ...browser.Option) *visit {
	t.Helper()
	host := strings.SplitN(url, "/", 4)[2]
	v := &visit{t: t, proxy: browser.NewProxy(t, host), url: url, dir: dir}
	v.Page = browser.Open(t, url, append(more, browser.Through(v.proxy), browser.First(helpers))...)
	v.AwaitFor(`document.querySelector("#step-table .card") !== null`, 30*time.Second)
	return v
}

// until waits for at most a while until an expression is true, and reports whether it is; a fault that the page shows fails the test.
func (v *visit) until(expression string, while time.Duration) bool {
	v.t.Helper()
	const fault = `document.querySelector("#fault").textContent`
	if !v.AwaitFor(fault+` !== "" || `+expression, while) {
		return false
	}
	var shown string
	if v.Evaluate(fault, &shown); shown != "" {
		v.t.Errorf("the page says: %s", shown)
	}
	return shown == ""
}

// idle is true when the page waits for nothing.
const idle = `document.querySelector("#busy").textContent === ""`

// drop drops a table on the page, and waits until its columns are shown.
func (v *visit) drop(path string) bool {
	v.t.Helper()
	v.Drop("#drop", path)
	return v.until(`location.hash === "#columns" && `+idle, time.Minute)
}

// set sets a key of the configuration to a number, among the settings.
func (v *visit) set(key string, value int) {
	v.t.Helper()
	v.Run(fmt.Sprintf(`webtest.step("Settings"); document.getElementById("more").open = true; webtest.put(%q, %d);`, key, value))
}

// quick chooses settings that train in a moment.
func (v *visit) quick() {
	v.t.Helper()
	v.set("model.rules", 3)
	v.set("train.iterations", 30)
}

// train trains with the settings chosen, and waits until the results are shown; rules of a race have to be shown before.
func (v *visit) train() bool {
	v.t.Helper()
	v.Run(`document.querySelector(".provisional")?.remove(); webtest.press("Train")`)
	shown := `location.hash === "#results" || document.querySelector("#step-training .provisional li") !== null` // a page takes a second
	return v.until(shown, time.Minute) && v.results()
}

// results waits until the results are shown: the rules in words, the report in its frame, and the commands.
func (v *visit) results() bool {
	v.t.Helper()
	return v.until(`location.hash === "#results" && document.querySelector("#step-results .worded li, #step-results pre.page") !== null &&
		!document.querySelector("iframe[aria-busy]") &&
		document.querySelector("#step-results .command") !== null && `+idle, 3*time.Minute)
}

// compareRuns compares the two runs that there are.
func (v *visit) compareRuns() {
	v.t.Helper()
	v.Run(`webtest.step("Runs"); for (const box of document.querySelectorAll(".runs [type=checkbox]")) box.click(); ` +
		`webtest.press("Compare the two chosen runs");`)
	v.until(`document.querySelector("#step-runs .against .dot") !== null && `+idle, time.Minute)
	v.Run(`webtest.open()`)
}

// table returns the path of a table.
func table(t testing.TB, name string) string {
	t.Helper()
	for _, path := range []string{"../../../docs/" + name, "../../../data/" + name, filepath.Join(os.Getenv("TSKGRAPH_DATA"), name)} {
		if _, err := os.Stat(filepath.FromSlash(path)); err == nil {
			return filepath.FromSlash(path)
		}
	}
	t.Fatal(fmt.Errorf("no table %s", name))
	return ""
}
