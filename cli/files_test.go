package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// trained trains a small model below a directory, and returns that of the run.
func trained(t *testing.T, home string) string {
	t.Helper()
	args := []string{"train", "--set", "preset=paper", "--set", "data.builtin=friedman1", "--set", "model.rules=2", "--set",
		"train.iterations=5", "--set", "output.dir=" + home}
	if code, stderr := ran(context.Background(), args...); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return filepath.Join(home, "friedman1-gaussian-001")
}

// TestNoLocks: a file system without locks is noted once, and work continues; where
// locking fails otherwise, the error names the path, and no directory is left.
func TestNoLocks(t *testing.T) {
	locks := safefile.Flock
	defer func() { safefile.Flock = locks }()
	for _, errno := range []syscall.Errno{syscall.ENOLCK, syscall.ENOSYS, syscall.EOPNOTSUPP} {
		safefile.Flock = locks
		unfinished, _ := interrupted(t)
		safefile.Flock = func(*os.File) error { return errno }
		home := t.TempDir()
		small := []string{"--set", "preset=paper", "--set", "data.builtin=friedman1", "--set", "model.rules=2", "--set", "train.iterations=5",
			"--set", "output.dir=" + home}
		for _, args := range [][]string{
			append([]string{"train"}, small...),
			append([]string{"tune", "--trials", "1"}, small...),
			{"train", "--resume", unfinished},
			{"prune", "--model", filepath.Join(home, "friedman1-gaussian-001"), "--data",
				filepath.Join(home, "friedman1-gaussian-001", "train.csv"), "--set", "output.dir=" + home},
		} {
			if code, stderr := ran(context.Background(), args...); code != 0 ||
				strings.Count(stderr, "the file system does not support locks ("+errno.Error()+")") != 1 {
				t.Errorf("%v, %v: exit code %d: %s", errno, args[0], code, stderr)
			}
		}
		safefile.Flock = func(*os.File) error { return syscall.EIO }
		bad := filepath.Join(t.TempDir(), "runs")
		if code, stderr := ran(context.Background(), "train", "--set", "output.dir="+bad); code != message.ExitFailed ||
			!strings.Contains(stderr, bad) {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		if left, err := os.ReadDir(bad); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
}

// TestWhatIsWrittenIsSynced: the files of a run, their directories, and the output of predict are synced.
func TestWhatIsWrittenIsSynced(t *testing.T) {
	defer func(was func(*os.File) error) { safefile.Fsync = was }(safefile.Fsync)
	synced := map[string]int{}
	safefile.Fsync = func(f *os.File) error {
		synced[filepath.Clean(f.Name())]++
		return f.Sync()
	}
	home := filepath.Join(t.TempDir(), "new", "runs")
	dir := trained(t, home)
	out := filepath.Join(home, "p.csv")
	if code := run(context.Background(), []string{"predict", "-m", dir, "-d", filepath.Join(dir, "test.csv"), "-o", out}, nil, io.Discard,
		io.Discard); code != 0 {
		t.Fatal(code)
	}
	for _, path := range []string{
		filepath.Dir(filepath.Dir(home)), filepath.Dir(home), home, dir,
		filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), filepath.Join(dir, runs.MetricsFile),
		filepath.Join(dir, ".tskgraph-model.json-0"), filepath.Join(home, ".tskgraph-p.csv-0"),
	} {
		if synced[path] == 0 {
			t.Errorf("%s is not synced", path)
		}
	}
	if synced[home] < 2 {
		t.Errorf("%s is synced %d times, want once for the run and once for %s", home, synced[home], out)
	}
}

// TestKilledPredict: killed any number of times, predict leaves at most one hidden file, which the next complete run
// removes.
func TestKilledPredict(t *testing.T) {
	home := t.TempDir()
	dir := trained(t, home)
	table, err := os.ReadFile(filepath.Join(dir, "test.csv"))
	if err != nil {
		t.Fatal(err)
	}
	hidden := func() []string {
		left, err := filepath.Glob(filepath.Join(home, ".tskgraph-*"))
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	predict := func() (*exec.Cmd, io.WriteCloser) {
		cmd := exec.Command("tskgraph", "predict", "-m", dir, "-d", "-", "-o", filepath.Join(home, "p.csv"))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(table); err != nil {
			t.Fatal(err)
		}
		return cmd, in
	}
	for range 3 {
		var old os.FileInfo
		if left := hidden(); len(left) > 0 {
			if old, err = os.Stat(left[0]); err != nil {
				t.Fatal(err)
			}
		}
		cmd, in := predict()
		for late := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if left := hidden(); len(left) > 0 {
				if now, err := os.Stat(left[0]); err == nil && (old == nil || !now.ModTime().Equal(old.ModTime())) {
					break
				}
			}
			if time.Now().After(late) {
				t.Fatal("no file under way was seen")
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		in.Close()
		if left := hidden(); len(left) != 1 {
			t.Fatalf("left behind: %v", left)
		}
	}
	cmd, in := predict()
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if left := hidden(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestResumeLinks: a run whose files are symbolic links writes nothing through them.
func TestResumeLinks(t *testing.T) {
	for _, name := range []string{runs.MetricsFile, runs.SummaryFile, "model.json", runs.CheckpointFile, safefile.LockName, runs.ConfigFile,
		runs.StartFile} {
		dir, _ := interrupted(t)
		outside := t.TempDir()
		victim := filepath.Join(outside, "victim")
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.Remove(filepath.Join(dir, name))
		}
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		exists := err == nil
		if exists {
			if err := os.WriteFile(victim, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(victim, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		code, stderr := ran(context.Background(), "train", "--resume", dir)
		if slices.Contains([]string{runs.MetricsFile, runs.SummaryFile, "model.json", safefile.LockName, runs.CheckpointFile, runs.StartFile},
			name) && (code != message.ExitFailed || !strings.Contains(stderr, name+" is a symbolic link, which is not followed here")) {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
		after, err := os.ReadFile(victim)
		if exists != (err == nil) || !bytes.Equal(after, text) {
			t.Errorf("%s: written outside: %q, %v", name, after, err)
		}
	}
}

// largeTable is the name of the table that writeLarge writes.
const largeTable = "large.csv"

// outOfCore is a training on a table that the memory does not hold.
var outOfCore = []string{"preset=paper", "data.path=" + largeTable, "data.target=y", "data.validation=0.1", "data.memory=64MiB",
	"model.rules=4", "train.iterations=200"}

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
	testenv.OnlyCI(t)
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
	f.startTo(begun)
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

// TestShowOlderModel: a model file of version 1 has no quantiles; a table has them measured.
func TestShowOlderModel(t *testing.T) {
	const old = "../model/testdata/model.json"
	table := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(table, []byte("a,y\n7,1\n9,3\n11,6\n13,8\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"The model file is of an older version": {"show", "--model", old},
		"IF   a is not low (at least 8 mm)":     {"show", "--model", old, "--data", table},
	} {
		var stdout, stderr strings.Builder
		if code := run(context.Background(), args, nil, &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), want) {
			t.Errorf("%v: exit code %d, no %q in\n%s%s", args, code, want, &stdout, &stderr)
		}
	}
}
