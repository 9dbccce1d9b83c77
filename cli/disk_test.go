//go:build linux

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestTrainFullDisk: a disk that fills up at any moment ends a training with an error that says how to continue; once
// there is space, it does, and ends with the same bits.
func TestTrainFullDisk(t *testing.T) {
	f := newFaultyRun(t, faulty["pruned"])
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	f.home = disk
	faults, gone := 0, 0
	for size := 64; size < 4096; size += testenv.CaseNumber(160, 80, 40) {
		resize(t, disk, size)
		out, err := f.begin().CombinedOutput()
		if err == nil {
			f.whole()
			f.remove()
			break
		}
		faults++
		if !strings.Contains(string(out), "no space left on device") {
			t.Fatalf("%d kB: %v\n%s", size, err, out)
		}
		if !f.checkpointed() {
			gone++ // it had not begun
			f.remove()
			continue
		}
		if !strings.Contains(string(out), "continue with: tskgraph train --resume") {
			t.Errorf("%d kB: %s", size, out)
		}
		resize(t, disk, 64<<10)
		f.end()
		f.remove()
	}
	if faults < testenv.CaseNumber(3, 5, 10) || faults == gone {
		t.Errorf("only %d faults, %d of them before training had begun", faults, gone)
	}
	t.Logf("full disk: %d survived of %d, %d of them before training had begun", faults, faults, gone)
}

func resize(t *testing.T, disk string, kilobytes int) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", fmt.Sprintf("remount,size=%dk", kilobytes), disk).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestTrainReadOnly: a directory that becomes read-only is reported, and training continues; the result is written once it
// is writable.
func TestTrainReadOnly(t *testing.T) {
	f := newFaultyRun(t, long)
	nobody := f.unprivileged()
	cmd := nobody(f.begin())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	f.startTo(cmd)
	if err := os.Chmod(f.dir(), 0o555); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if said := stderr.String(); err == nil || !strings.Contains(said, "note: a checkpoint was not written, training continues") ||
		!strings.Contains(said, "permission denied") || !strings.Contains(said, "continue with") {
		t.Errorf("%v: %s", err, said)
	}
	if err := os.Chmod(f.dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	f.end()
	f.remove()
	if err := os.Chmod(filepath.Join(f.home, "runs"), 0o555); err != nil {
		t.Fatal(err)
	}
	if out, err := nobody(f.begin()).CombinedOutput(); err == nil || !strings.Contains(string(out), "output.dir") {
		t.Errorf("%v\n%s", err, out)
	}
}

// unprivileged returns how to run a command as a user whom permissions bind.
func (f *faultyRun) unprivileged() func(*exec.Cmd) *exec.Cmd {
	f.t.Helper()
	if os.Geteuid() != 0 {
		return func(cmd *exec.Cmd) *exec.Cmd { return cmd }
	}
	const nobody = 65534
	self, err := os.Executable()
	if err != nil {
		f.t.Fatal(err)
	}
	bin := f.t.TempDir()
	text, err := os.ReadFile(self)
	if err != nil {
		f.t.Fatal(err)
	}
	tool := filepath.Join(bin, "tskgraph")
	if err := os.WriteFile(tool, text, 0o755); err != nil {
		f.t.Fatal(err)
	}
	for _, dir := range []string{bin, filepath.Dir(bin), f.home, filepath.Join(f.home, "runs")} {
		if err := os.Chmod(dir, 0o755); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := os.Chown(filepath.Join(f.home, "runs"), nobody, nobody); err != nil {
		f.t.Fatal(err)
	}
	return func(cmd *exec.Cmd) *exec.Cmd {
		cmd.Path = tool
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return cmd
	}
}

// TestFullOutput: a full standard output is an error, and the model is still written.
func TestFullOutput(t *testing.T) {
	home := t.TempDir()
	for _, args := range [][]string{{"train", "--set", "train.race=[]", "--set", "train.iterations=5"}, {"config", "print"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		cmd := exec.Command("tskgraph", args...)
		var stderr strings.Builder
		cmd.Dir, cmd.Stdout, cmd.Stderr = home, full, &stderr
		err = cmd.Run()
		full.Close()
		if cmd.ProcessState.ExitCode() != message.ExitFailed || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: %v: %s", args, err, &stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(home, "runs", "mackey-glass-gaussian-001", "model.json")); err != nil {
		t.Error(err)
	}
}

// TestTwoPrograms: a second program is refused a locked directory, by name. A leftover lock file does not lock.
func TestTwoPrograms(t *testing.T) {
	unfinished, _ := interrupted(t)
	search := filepath.Join(t.TempDir(), "search")
	resume := []string{"train", "--resume", unfinished}
	tune := []string{"tune", "--out", search, "--trials", "1", "--set", "preset=paper", "--set", "train.iterations=5"}
	tskgraphRun(t, tune...)
	for dir, args := range map[string][]string{unfinished: resume, search: tune} {
		other, err := safefile.OpenDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if note, err := other.Lock(); err != nil || note != "" {
			t.Fatal(note, err)
		}
		out, err := exec.Command("tskgraph", args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out),
			filepath.Base(dir)+": locked by another tskgraph process; wait for it to end or choose another directory") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
	}
	tskgraphRun(t, resume...)
}

// TestExportFullDisk: an export of several files to a disk that is full but for one of them leaves the old ones.
func TestExportFullDisk(t *testing.T) {
	model := trained(t, t.TempDir())
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	header, source := filepath.Join(disk, "m.h"), filepath.Join(disk, "m.c")
	export := func(name string) int {
		return run(context.Background(), []string{"export", "-m", model, "--to", "c", "--name", name, "-o", source}, nil, io.Discard, io.Discard)
	}
	if code := export("old"); code != 0 {
		t.Fatal(code)
	}
	before, err := os.ReadFile(header)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(source)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4
	resize(t, disk, 2*(len(before)>>10+page)+int(info.Size()>>10)+2*page)
	if code := export("new"); code != message.ExitFailed {
		t.Errorf("exit code %d", code)
	}
	if after, err := os.ReadFile(header); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the header is new, the source is not: %v", err)
	}
	if left, err := os.ReadDir(disk); err != nil || len(left) != 2 {
		t.Errorf("left %v, %v", left, err)
	}
}
