package cli

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// faulty are trainings that the tests interrupt.
var faulty = map[string][]string{
	"pruned":  {"preset=paper", "data.builtin=friedman1", "data.validation=0.2", "prune.rounds=2", "train.iterations=3000"},
	"classes": {"preset=paper", "data.builtin=iris", "data.validation=0.2", "prune.rounds=1", "train.iterations=6000"},
	"race and committee": {"data.builtin=friedman1", "train.members=3", "model.rules=8",
		"train.race=[{iterations: 300}, {iterations: 500, antecedents: 2}, {iterations: 700}]"},
	"least squares": {"preset=paper", "data.builtin=friedman1", "model.init=genfis", "model.rules=4", "model.consequents=least-squares",
		"train.optimizer=anfis", "train.batch=0", "train.l2=0", "train.droprule=1", "train.iterations=150"},
	"out of core": outOfCore,
	"autodiff": {"preset=paper", "data.builtin=friedman1", "model.engine=autodiff", "model.membership=trapezoid", "model.rules=8",
		"train.iterations=120"},
}

// interrupts are the names of the trainings to interrupt: all by make matrix, else those that take no table larger than memory, which
// TestScratch interrupts.
func interrupts() []string {
	names := slices.Sorted(maps.Keys(faulty))
	if testenv.AllCases() {
		return names
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "out of core" })
}

// long is a training long enough to be interrupted after a checkpoint on busy machines.
var long = []string{"preset=paper", "data.builtin=friedman1", "data.validation=0.2", "prune.rounds=2", "train.iterations=15000"}

// faultyRun is one of them, with the results of an uninterrupted training.
type faultyRun struct {
	t              *testing.T
	home           string // where its directory runs/... is
	set            []string
	model, metrics []byte
	took           time.Duration
}

func newFaultyRun(t *testing.T, set []string) *faultyRun {
	t.Helper()
	if testenv.Race {
		t.Skip("starts many programs, too slow with the race detector")
	}
	f := &faultyRun{t: t, home: t.TempDir(), set: set}
	if slices.Contains(set, "data.path="+largeTable) {
		writeLarge(t, f.home)
	}
	start := time.Now()
	if out, err := f.begin().CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f.took = time.Since(start)
	f.model, f.metrics = f.read("model.json"), f.read("metrics.jsonl")
	for _, gone := range []string{runs.CheckpointFile, safefile.LockName} {
		if _, err := os.Stat(filepath.Join(f.dir(), gone)); err == nil {
			t.Errorf("a finished run keeps its %s", gone)
		}
	}
	f.remove()
	return f
}

// dir is the run's directory.
func (f *faultyRun) dir() string {
	dirs, err := filepath.Glob(filepath.Join(f.home, "runs", "[^.]*")) // without scratch files
	if err != nil || len(dirs) != 1 {
		return filepath.Join(f.home, "none")
	}
	return dirs[0]
}

// remove removes the run.
func (f *faultyRun) remove() {
	if err := os.RemoveAll(f.dir()); err != nil {
		f.t.Fatal(err)
	}
}

func (f *faultyRun) read(name string) []byte {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir(), name))
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

func (f *faultyRun) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tskgraph", args...)
	cmd.Dir = f.home
	cmd.Env = append(os.Environ(), everyEnv+"=3ms")
	return cmd
}

// begin trains in a new directory.
func (f *faultyRun) begin() *exec.Cmd {
	args := []string{"train"}
	for _, s := range f.set {
		args = append(args, "--set", s)
	}
	return f.command(args...)
}

func (f *faultyRun) resume() *exec.Cmd {
	dir, err := filepath.Rel(f.home, f.dir())
	if err != nil {
		f.t.Fatal(err)
	}
	return f.command("train", "--resume", dir)
}

// checkpointed reports whether there is a checkpoint, which must be valid.
func (f *faultyRun) checkpointed() bool {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir(), runs.CheckpointFile))
	if errors.Is(err, os.ErrNotExist) {
		return false
	}
	if err == nil {
		_, err = tskgraph.DecodeCheckpoint(bytes.NewReader(text))
	}
	if err != nil {
		f.t.Fatalf("the last checkpoint: %v", err)
	}
	return true
}

// whole compares the finished run with the uninterrupted one.
func (f *faultyRun) whole() {
	f.t.Helper()
	if !bytes.Equal(f.read("model.json"), f.model) {
		f.t.Error("another model")
	}
	if !bytes.Equal(f.read("metrics.jsonl"), f.metrics) {
		f.t.Error("other metrics")
	}
	entries, err := os.ReadDir(f.dir())
	for _, e := range entries {
		if err != nil || strings.HasPrefix(e.Name(), ".") || e.Name() == runs.CheckpointFile || e.Name() == safefile.LockName {
			f.t.Errorf("left behind: %v, %v", e.Name(), err)
		}
	}
	for _, dir := range []string{"", "runs"} { // of scratch files
		if hidden, err := filepath.Glob(filepath.Join(f.home, dir, ".*")); err != nil || len(hidden) > 0 {
			f.t.Errorf("left behind: %v, %v", hidden, err)
		}
	}
}

// startTo starts a training and waits for its checkpoint, before the training ends.
func (f *faultyRun) startTo(cmd *exec.Cmd) {
	f.t.Helper()
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	for late := time.Now().Add(time.Minute); !f.checkpointed(); time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			_ = cmd.Process.Kill()
			f.t.Fatal("no such checkpoint was seen: the training is too short for this machine")
		}
	}
}

// end completes the run, resumed or from the start.
func (f *faultyRun) end() {
	f.t.Helper()
	cmd := f.resume()
	if !f.checkpointed() {
		f.remove()
		cmd = f.begin()
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		f.t.Fatalf("%v\n%s", err, out)
	}
	f.whole()
}

// TestTrainKill: a training killed repeatedly at random moments continues from its last checkpoint and ends with the same
// bits. Under CI=true it has half of the trainings, and TestTrainSignals the others.
func TestTrainKill(t *testing.T) {
	kills := testenv.CaseNumber(2, 3, 16) // of each training
	rng := rand.New(rand.NewPCG(7, 7))
	tried, survived := 0, 0
	for _, name := range testenv.Draw(interrupts(), 3, 2, 0) {
		t.Run(name, func(t *testing.T) {
			f := newFaultyRun(t, faulty[name])
			for k := 0; k < kills; {
				cmd := f.begin()
				if f.checkpointed() {
					cmd = f.resume()
				} else {
					f.remove()
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				select {
				case err := <-ended: // too late
					if err != nil {
						t.Fatal(err)
					}
					f.whole()
					f.remove()
				case <-time.After(time.Duration(rng.Int64N(int64(f.took)))):
					if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
						t.Fatal(err)
					}
					if err := <-ended; err == nil {
						f.whole()
						f.remove()
						continue
					}
					k++
					tried++
					f.checkpointed()
				}
			}
			if f.end(); !t.Failed() {
				survived += kills
			}
		})
	}
	t.Logf("kill -9: %d survived of %d", survived, tried)
}

var resumeCommand = regexp.MustCompile(`(?m)^tskgraph: continue with: (.*)$`)

// TestTrainSignals: SIGINT and SIGTERM end a training in every phase with a checkpoint, exit code 130, and the command that
// continues it, which is run as printed.
func TestTrainSignals(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, name := range testenv.Draw(interrupts(), 3, 2, 1) {
		t.Run(name, func(t *testing.T) {
			f := newFaultyRun(t, faulty[name])
			for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
				f.signal(sig, time.Duration(rng.Int64N(int64(f.took))))
			}
		})
	}
}

func (f *faultyRun) signal(sig os.Signal, after time.Duration) {
	f.t.Helper()
	for {
		f.remove()
		cmd := f.begin()
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			f.t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for !f.checkpointed() && len(ended) == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(after)
		err := errors.Join(cmd.Process.Signal(sig), <-ended)
		if err == nil || errors.Is(err, os.ErrProcessDone) {
			after /= 2 // it was too late
			continue
		}
		said := resumeCommand.FindStringSubmatch(stderr.String())
		if code := cmd.ProcessState.ExitCode(); code != message.ExitInterrupted || said == nil || !f.checkpointed() {
			f.t.Fatalf("%v: exit code %d, checkpoint %t: %s", sig, code, f.checkpointed(), &stderr)
		}
		again := exec.Command("sh", "-c", said[1])
		again.Dir = f.home
		if out, err := again.CombinedOutput(); err != nil {
			f.t.Fatalf("%s: %v\n%s", said[1], err, out)
		}
		f.whole()
		again = exec.Command("sh", "-c", said[1]+" --json")
		again.Dir = f.home
		if out, err := again.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("the run is finished; nothing to resume")) ||
			!bytes.Contains(out, []byte(`"stopped": "completed"`)) {
			f.t.Errorf("a finished run: %v\n%s", err, out)
		}
		return
	}
}
