package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// workbenchCommand is `tskgraph workbench` that runs in a directory.
type workbenchCommand struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	stdout *bufio.Scanner
	stderr bytes.Buffer
}

// startWorkbench starts the command in a directory and waits for the address.
func startWorkbench(t *testing.T, dir string, args ...string) *workbenchCommand {
	t.Helper()
	w := &workbenchCommand{t: t, cmd: exec.Command("tskgraph", append([]string{"workbench", "--no-open"}, args...)...)}
	w.cmd.Dir, w.cmd.Stderr = dir, &w.stderr
	_, w.stdout = started(t, w.cmd, (*exec.Cmd).StdoutPipe)
	w.url = w.stdout.Text()
	t.Cleanup(func() { _ = w.cmd.Process.Kill() })
	return w
}

// send sends a request of the page.
func (w *workbenchCommand) send(method, path, body string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequest(method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Tskgraph", path)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// call calls a method, decodes its result, and returns the number of events of each kind.
func (w *workbenchCommand) call(method, args string, into any) (events map[string]int) {
	w.t.Helper()
	return w.result(w.send("POST", "call/"+method, args), into)
}

// result reads an answer.
func (w *workbenchCommand) result(answer *http.Response, into any) (events map[string]int) {
	w.t.Helper()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 64<<20)
	events = map[string]int{}
	for lines.Scan() {
		var line struct {
			Event  string
			Result json.RawMessage
			Error  any
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Error != nil {
			w.t.Fatalf("%v: %s", err, lines.Text())
		}
		if line.Event != "" {
			events[line.Event]++
			continue
		}
		if err := json.Unmarshal(line.Result, into); err != nil {
			w.t.Fatalf("%v: %s", err, line.Result)
		}
		return events
	}
	w.t.Fatalf("no result: %v", lines.Err())
	return nil
}

// interrupt ends the workbench, which then prints nothing but the address, and returns its notes.
func (w *workbenchCommand) interrupt() string {
	w.t.Helper()
	if err := w.cmd.Process.Signal(syscall.SIGINT); err != nil {
		w.t.Fatal(err)
	}
	more := w.stdout.Scan()
	if err := w.cmd.Wait(); err != nil || more {
		w.t.Errorf("%v: %s%s", err, w.stdout.Text(), &w.stderr)
	}
	return w.stderr.String()
}

// TestWorkbench checks that a model of the workbench is that of the line that the page shows, to the bit; that a table given
// to the command is read where it is, and one that is dropped on the page is saved below the runs.
func TestWorkbench(t *testing.T) {
	home := t.TempDir()
	text, err := os.ReadFile(filepath.FromSlash("../docs/heating.csv"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, "here", "own.csv"), string(text))
	w := startWorkbench(t, home, filepath.Join("here", "own.csv"), "--out", "out")
	var start struct{ Table string }
	if w.call("start", "{}", &start); start.Table != filepath.Join("here", "own.csv") {
		t.Errorf("the table is %q", start.Table)
	}
	var uploaded string
	w.result(w.send("PUT", "tables/dropped.csv", string(text)), &uploaded)
	if saved, err := os.ReadFile(filepath.Join(home, "out", "tables", uploaded)); err != nil || !bytes.Equal(saved, text) {
		t.Errorf("%s: %v", uploaded, err)
	}
	for _, table := range []string{start.Table, uploaded} {
		var trained struct{ Run string }
		events := w.call("train",
			fmt.Sprintf(`{"table": %q, "preset": "readable", "set": {"train.iterations": 40, "train.race_splits": 1, `+
				`"train.race": [{"init": "tree"}, {"init": "kmeans"}]}}`, filepath.ToSlash(table)), &trained)
		if events["progress"] < 3 || events["rules"] == 0 {
			t.Errorf("%s: events %v", table, events)
		}
		var command struct{ Lines []string }
		w.call("command", fmt.Sprintf(`{"run": %q}`, trained.Run), &command)
		again := exec.Command("sh", "-c", command.Lines[1]+" --quiet --set output.dir=again")
		again.Dir = home
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		want, err := os.ReadFile(filepath.Join(home, "out", trained.Run, model.FileName))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(home, "again", trained.Run, model.FileName)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: another model than that of train: %v", table, err)
		}
	}
	if notes := w.interrupt(); notes != "" {
		t.Errorf("it says %s", notes)
	}
	if names, err := filepath.Glob(filepath.Join(home, "out", "tables", "*.csv")); err != nil || len(names) != 1 {
		t.Errorf("tables %q, %v", names, err)
	}
}

// TestWorkbenchInterrupt checks that an interrupt keeps the model of a training, which can be resumed, and that a
// workbench that was not used leaves nothing.
func TestWorkbenchInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupts between processes")
	}
	home := t.TempDir()
	w := startWorkbench(t, home)
	answer := w.send("POST", "call/train",
		`{"table": "builtin:friedman1", "preset": "paper", "set": {"train.iterations": 100000000, "model.rules": 2}}`)
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), `"loss"`) { // until it has iterated
	}
	notes := w.interrupt()
	rest, err := io.ReadAll(answer.Body)
	all := lines.Text() + string(rest)
	if err != nil || !strings.Contains(all, `"stopped":true`) {
		t.Errorf("%v: %s", err, all)
	}
	const at = "runs/friedman1-gaussian-001"
	if want := "note: " + at + ": training interrupted; its best model is kept; continue with: tskgraph train --resume " + at +
		"\n"; filepath.ToSlash(notes) != want {
		t.Errorf("it says %s", notes)
	}
	if _, err := model.Load(filepath.Join(home, filepath.FromSlash(at))); err != nil {
		t.Error(err)
	}
	empty := t.TempDir()
	startWorkbench(t, empty).interrupt()
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestWorkbenchNobodyReads checks that a workbench whose address cannot be printed ends.
func TestWorkbenchNobodyReads(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var stderr strings.Builder
	code := run(ctx, []string{"workbench", "--no-open", "--out", filepath.Join(t.TempDir(), "runs")}, nil, closedPipe{}, &stderr)
	if code != 1 || ctx.Err() != nil {
		t.Errorf("exit code %d, %v: %s", code, ctx.Err(), &stderr)
	}
}

// closedPipe is an output whose reader has gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestWorkbenchPage goes through the page of the workbench in a browser: a table is dropped and trained on, the report
// is shown, the model is saved, and a reload finds the run. Nothing violates the policy of the page or is requested from elsewhere.
func TestWorkbenchPage(t *testing.T) {
	testenv.OnlyCI(t)
	text, err := os.ReadFile(filepath.FromSlash("../docs/heating.csv"))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	table := filepath.Join(home, "heat & <b>power.csv")
	write(t, table, strings.Join(strings.SplitAfter(string(text), "\n")[:200], ""))
	w := startWorkbench(t, home)
	p := browser.Open(t, w.url)
	p.Await(`document.querySelectorAll(".card").length > 3 && document.querySelector("#place").textContent.includes("runs")`)
	p.Drop("#drop", table)
	p.Await(`location.hash === "#columns" && document.querySelectorAll(".columns tbody tr").length === 6`)
	click := func(text string) {
		p.Run(`[...document.querySelectorAll("button")].find((b) => b.textContent === "` + text + `" && b.offsetParent).click()`)
	}
	click("Train")
	if !p.AwaitFor(`location.hash === "#results" && parseFloat(document.querySelector("iframe").style.height) > 1000`, time.Minute) {
		t.Fatalf("no results: %s", p.Faults())
	}
	report := p.Frame("frame.html")
	report.Await(`document.querySelectorAll("#rules article, #rules li, #rules section").length > 0 && document.title.includes("heating")`)
	runs, err := filepath.Glob(filepath.Join(home, "runs", "*", model.FileName))
	if err != nil || len(runs) != 1 {
		t.Fatalf("runs %q, %v", runs, err)
	}
	want, err := os.ReadFile(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	name, got := p.Download(`[...document.querySelectorAll("button")].find((b) => b.textContent.startsWith("model.json")).click()`)
	if !strings.HasSuffix(name, ".json") || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
	}
	for _, f := range append(p.Faults(), report.Faults()...) {
		t.Error(f)
	}
	p.Go(w.url)
	p.Await(`document.querySelectorAll(".card").length > 4`) // the table that was dropped is one more
	p.Run(`[...document.querySelectorAll("#steps button")].find((b) => b.textContent.includes("Runs")).click()`)
	p.Await(`document.querySelector("main").textContent.includes("` + filepath.Base(filepath.Dir(runs[0])) + `")`)
	if notes := w.interrupt(); notes != "" {
		t.Errorf("it says %s", notes)
	}
	p.Run(`document.querySelector("#steps button").click(); document.querySelector(".card").click()`)
	p.Await(`document.querySelector("#fault").textContent.includes("The workbench does not answer")`)
}
