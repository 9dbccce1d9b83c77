package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

// largeTable is the name of the table that writeLarge writes.
const largeTable = "large.csv"

// outOfCore is a training on a table that the memory does not hold.
var outOfCore = []string{"preset=paper", "data.path=" + largeTable, "data.target=y", "data.validation=0.1", "data.memory=64MiB", "model.rules=4", "train.iterations=400"}

// writeLarge writes a table to a directory. It has more rows than a part holds in memory as they are, and its cells, digits and
// billionths, are 3 bytes of text but 8 of a scratch file.
func writeLarge(t *testing.T, dir string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 9))
	var text bytes.Buffer
	text.WriteString("x1,x2,x3,x4,x5,x6,x7,x8,y\n")
	for range data.SampleRows + data.SampleRows/2 {
		sum := 0
		for k := range 8 {
			digit := rng.IntN(10)
			if rng.IntN(2) == 0 {
				fmt.Fprintf(&text, "%de-9,", digit)
				continue
			}
			fmt.Fprintf(&text, "%d,", digit)
			sum += k * digit
		}
		fmt.Fprintf(&text, "%d.5\n", sum)
	}
	if err := os.WriteFile(filepath.Join(dir, largeTable), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestScratch checks that the memory and the directory of a large table change no bit of a run, that a full disk leaves a run as it
// is, and that it is resumed with another directory. A limit of the size of files takes the place of a small disk.
func TestScratch(t *testing.T) {
	f := newFaultyRun(t, outOfCore)
	inMemory := f.begin()
	inMemory.Args = append(inMemory.Args, "--memory", "4GiB")
	if out, err := inMemory.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f.whole()
	f.remove()

	f.full(f.begin(), "runs")
	if runs, err := os.ReadDir(filepath.Join(f.home, "runs")); err != nil || len(runs) > 0 {
		t.Errorf("a run without data: %v, %v", runs, err)
	}
	begun := f.begin()
	f.startTo(begun, anywhere)
	_ = begun.Process.Kill()
	if err := begun.Wait(); err == nil {
		t.Fatal("the training ended before it was killed")
	}
	f.full(f.resume(), f.resume().Args[3])
	if !f.checkpointed() {
		t.Error("no checkpoint after the disk was full")
	}
	other := t.TempDir()
	resumed := f.resume()
	resumed.Args = append(resumed.Args, "--scratch", other)
	if out, err := resumed.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f.whole()
	if left, err := os.ReadDir(other); err != nil || len(left) > 0 {
		t.Errorf("left in the directory of the scratch file: %v, %v", left, err)
	}
}

// full runs a command that may write files of at most a mebibyte, and checks what it says of its scratch file in dir.
func (f *faultyRun) full(cmd *exec.Cmd, dir string) {
	f.t.Helper()
	limited := exec.Command("sh", append([]string{"-c", `ulimit -f 2048; exec "$0" "$@"`}, cmd.Args...)...)
	limited.Dir, limited.Env = cmd.Dir, cmd.Env
	out, err := limited.CombinedOutput()
	want := "tskgraph: scratch file in " + dir + ": file too large: make room, or name another directory with --scratch\n"
	if code := limited.ProcessState.ExitCode(); err == nil || code != message.ExitFailed || !bytes.HasSuffix(out, []byte(want)) {
		f.t.Errorf("exit code %d, want %s: %s", code, want, out)
	}
}
