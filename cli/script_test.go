package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// everyEnv is the environment variable that sets, in tests, how often a checkpoint is written.
const everyEnv = "TEST_CHECKPOINT_EVERY"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tskgraph": func() {
			if every, err := time.ParseDuration(os.Getenv(everyEnv)); err == nil {
				checkpointEvery = every
			}
			Main()
		},
		"deaf":      deaf,
		"slowSaver": slowSaver,
	})
}

// sideBySide are the transcripts with much concurrency. Only these run under the race detector, with which a command takes
// half a second to start.
var sideBySide = []string{"experiment.txt", "table.txt", "tune.txt"}

// TestScripts runs the transcripts in testdata: the command as a user sees it.
// Those named real-*.txt read the real data sets, in $DATA. By default every fourth of the others is run, under CI=true all. Commands run
// in this process, by make matrix in one of their own.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	real := func(script string) bool { return strings.HasPrefix(filepath.Base(script), "real-") }
	if !testenv.Race {
		scripts = slices.DeleteFunc(scripts, func(script string) bool { return real(script) && testenv.Cases(0, 1) == 0 })
		scripts = testenv.Share(scripts, 4, 1)
	}
	for _, script := range scripts {
		t.Run(filepath.Base(script), func(t *testing.T) {
			if testenv.Race && !slices.Contains(sideBySide, filepath.Base(script)) {
				t.Skip("too slow with the race detector")
			}
			dir := ""
			if real(script) {
				dir = testenv.Data(t)
			}
			here := inProcess{}
			testscript.Run(t, testscript.Params{
				Files: []string{here.rewritten(t, script)},
				Setup: func(env *testscript.Env) error {
					env.Setenv("DATA", dir)
					for _, v := range env.Vars {
						here.sets(v)
					}
					return nil
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){"write": writeBytes, "wide": writeWide, "exits": exits, "full": full,
					"here": here.run},
			})
		})
	}
}

// inProcess runs the commands of a transcript in the process of the test, which saves starting a program for each. It has the names of the
// transcript's variables.
type inProcess map[string]bool

var (
	execLine  = regexp.MustCompile(`^((?:\[[^]]+\] )*(?:! )?)exec tskgraph `)
	envLine   = regexp.MustCompile(`(?m)^env (.+)$`)
	stdinLine = regexp.MustCompile(`^(?:\[[^]]+\] )*stdin `)
)

// rewritten returns a transcript whose commands run in the process: not by make matrix, and not those that read standard input.
func (p inProcess) rewritten(t *testing.T, script string) string {
	t.Helper()
	text, err := os.ReadFile(script)
	testenv.OK(t, err)
	if testenv.AllCases() || testenv.Race {
		return script
	}
	for _, line := range envLine.FindAllStringSubmatch(string(text), -1) {
		for _, v := range strings.Fields(line[1]) {
			p.sets(v)
		}
	}
	lines, reads := strings.SplitAfter(string(text), "\n"), false
	for i, line := range lines {
		switch {
		case stdinLine.MatchString(line):
			reads = true
		case reads && execLine.MatchString(line):
			reads = false
		default:
			lines[i] = execLine.ReplaceAllString(line, "${1}here ")
		}
	}
	path := filepath.Join(t.TempDir(), filepath.Base(script))
	testenv.OK(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600))
	return path
}

// sets takes the name of a variable from NAME=VALUE.
func (p inProcess) sets(v string) {
	name, _, _ := strings.Cut(v, "=")
	p[name] = true
}

// run is `here ARGS`: tskgraph with these arguments in the directory and with the variables of the transcript.
func (p inProcess) run(ts *testscript.TestScript, neg bool, args []string) {
	was, environment := testenv.Must(os.Getwd()), os.Environ()
	defer func() {
		setEnvironment(environment)
		ts.Check(os.Chdir(was))
	}()
	ts.Check(os.Chdir(ts.MkAbs(".")))
	var mine []string
	for name := range p {
		if value := ts.Getenv(name); value != "" {
			mine = append(mine, name+"="+value)
		}
	}
	setEnvironment(mine)
	if code := run(context.Background(), args, strings.NewReader(""), ts.Stdout(), ts.Stderr()); (code != 0) != neg {
		ts.Fatalf("exit code %d", code)
	}
}

// setEnvironment replaces the variables of this process.
func setEnvironment(all []string) {
	os.Clearenv()
	for _, v := range all {
		name, value, _ := strings.Cut(v, "=")
		os.Setenv(name, value)
	}
}

// tskgraphRun runs a command that must succeed, and returns what it prints.
func tskgraphRun(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if code := run(context.Background(), args, nil, &stdout, &stderr); code != 0 {
		t.Fatalf("%s: exit code %d: %s", args, code, &stderr)
	}
	return strings.TrimSpace(stdout.String())
}

// ran runs a command without standard input, and returns its exit code and what it says on standard error.
func ran(ctx context.Context, args ...string) (code int, stderr string) {
	var said strings.Builder
	code = run(ctx, args, nil, io.Discard, &said)
	return code, said.String()
}

// writeBytes is `write FILE TEXT [COUNT TEXT]`: a file of bytes that a transcript cannot
// hold, written as in a Go string, the second text COUNT times.
func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	unquoted := func(s string) string {
		text, err := strconv.Unquote(`"` + s + `"`)
		ts.Check(err)
		return text
	}
	if len(args) != 2 && len(args) != 4 {
		ts.Fatalf("usage: write FILE TEXT [COUNT TEXT]")
	}
	text := unquoted(args[1])
	if len(args) == 4 {
		count, err := strconv.Atoi(args[2])
		ts.Check(err)
		text += strings.Repeat(unquoted(args[3]), count)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// writeWide is `wide FILE M N`: a table of M features c1, c2, ... and the target y, N rows.
func writeWide(ts *testscript.TestScript, _ bool, args []string) {
	var b strings.Builder
	m, err := strconv.Atoi(args[1])
	ts.Check(err)
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	for i := range m {
		fmt.Fprintf(&b, "c%d,", i+1)
	}
	b.WriteString("y\n")
	for row := range n {
		for i := range m {
			fmt.Fprintf(&b, "%d,", (7919*row*(i+1)+i)%1000003)
		}
		fmt.Fprintf(&b, "%d\n", row)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o600))
}

// exits is `exits CODE ARGS`: tskgraph with these arguments ends with that exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("tskgraph", args[1:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if got := strconv.Itoa(exit.ExitCode()); got != args[0] {
			ts.Fatalf("exit code %s, want %s", got, args[0])
		}
		return
	}
	ts.Fatalf("%v, want exit code %s", err, args[0])
}

// full is `full ARGS`: tskgraph with these arguments, its standard output on a full disk, says so and fails.
func full(ts *testscript.TestScript, _ bool, args []string) {
	out, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	ts.Check(err)
	defer out.Close()
	for i, arg := range args {
		if i > 0 && strings.HasPrefix(args[i-1], "--") {
			args[i] = ts.MkAbs(arg)
		}
	}
	var stderr strings.Builder
	code := run(context.Background(), args, nil, out, &stderr)
	if code != message.ExitFailed || !strings.Contains(stderr.String(), "no space left on device") {
		ts.Fatalf("exit code %d: %s", code, &stderr)
	}
}

// TestInterrupted: a cancelled command ends with 130 and says how to continue, or what it leaves: a
// pruning leaves a model, and no other file. See TestTrainSignals for trainings.
func TestInterrupted(t *testing.T) {
	home := t.TempDir()
	saved := trained(t, home)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	search, train, dir := filepath.Join(t.TempDir(), "search"), filepath.Join(saved, "train.csv"), "output.dir="+home
	race := filepath.Join(home, "mackey-glass-gaussian-001")
	study := []string{"experiment", "--data", os.Getenv("TSKGRAPH_DATA"), "--out", t.TempDir(), "--datasets", "no2", "--algorithms",
		"vMBGD-RDA[R0]", "--repeats", "1"}
	for _, c := range []struct {
		args  []string
		says  []string
		left  string // a file that is there then
		model bool   // or a model
	}{
		{[]string{"tune", "--out", search}, []string{"tskgraph tune --resume " + search}, "", false},
		{[]string{"train", "--set", dir}, []string{"interrupted in the race of settings", "continue with: tskgraph train --resume " + race},
			filepath.Join(race, runs.CheckpointFile), false},
		{[]string{"report", saved}, []string{"is not written"}, "", false},
		{[]string{"plot", "learning", saved}, []string{"is not written"}, "", false},
		{[]string{"prune", "--model", saved, "--data", train, "--set", dir}, nil, saved + "-pruned-001", true},
		{[]string{"prune", "--model", saved, "--data", train, "--set", dir, "--path"}, nil, saved + "-pruned-002", true},
		{study, []string{"continue with: tskgraph experiment ", "'--algorithms=vMBGD-RDA[R0]'", "--repeats=1"}, "", false},
	} {
		t.Run(strings.Join(c.args[:2], " "), func(t *testing.T) {
			if c.args[0] == "experiment" {
				testenv.Data(t)
			}
			before, _ := os.ReadDir(saved)
			code, stderr := ran(ctx, c.args...)
			if code != message.ExitInterrupted {
				t.Errorf("exit code %d, want %d: %s", code, message.ExitInterrupted, stderr)
			}
			for _, words := range c.says {
				if !strings.Contains(stderr, words) {
					t.Errorf("it says %q, not %q", stderr, words)
				}
			}
			if after, err := os.ReadDir(saved); err != nil || len(after) != len(before) {
				t.Errorf("%v, %v, before %v", after, err, before)
			}
			if _, err := os.Stat(c.left); c.left != "" && err != nil {
				t.Error(err)
			}
			if _, err := model.Load(c.left); c.model && err != nil {
				t.Errorf("the pruned model so far: %v", err)
			}
		})
	}
}

// TestInterruptedPredict: an interrupted predict ends with 130 although its input does not end, and leaves the old table and no
// hidden file.
func TestInterruptedPredict(t *testing.T) {
	dir := trained(t, t.TempDir())
	m, err := model.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := m.Schema.Features()
	ctx, cancel := context.WithCancel(context.Background())
	stdin, feed := io.Pipe()
	defer feed.Close()
	go func() {
		_, _ = io.WriteString(feed, strings.Join(names, ",")+"\n"+strings.Repeat("1,", len(names)-1)+"1\n")
		cancel()
	}()
	out := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	args := []string{"predict", "--model", dir, "--data", "-", "--out", out}
	if code := run(ctx, args, stdin, io.Discard, &stderr); code != message.ExitInterrupted {
		t.Errorf("exit code %d, want %d", code, message.ExitInterrupted)
	}
	if !strings.Contains(stderr.String(), "predict: interrupted after ") ||
		!strings.Contains(stderr.String(), "rows; "+out+" is not written") {
		t.Errorf("it says %q", stderr.String())
	}
	left, err := os.ReadDir(filepath.Dir(out))
	if text, _ := os.ReadFile(out); err != nil || len(left) != 1 || string(text) != "old" {
		t.Errorf("left behind: %v, %v; %q", left, err, text)
	}
}
