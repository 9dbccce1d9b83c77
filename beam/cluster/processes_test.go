//go:build unix

package cluster_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/worker"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

func TestMain(m *testing.M) {
	if args := os.Args[1:]; worker.Started(args) {
		fmt.Fprintln(os.Stderr, worker.Run(context.Background(), args))
		os.Exit(1)
	}
	if os.Getenv(servePool) != "" {
		pool()
	}
	if port := os.Getenv(servePrism); port != "" {
		serve(port)
	}
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

func init() {
	register.DoFn2x2[context.Context, task, int, error](&note{})
	register.DoFn2x0[context.Context, int](&add{})
	beam.RegisterType(reflect.TypeFor[task]())
}

type task struct{ Index int }

// Number implements cluster.Numbered.
func (t task) Number() int { return t.Index }

// note writes a file for each task: its name is the task, its content the process. If Wait is set, it waits for a file
// of that name.
type note struct {
	Dir  string
	Wait string
}

func (n *note) ProcessElement(ctx context.Context, t task) (int, error) {
	release, err := cluster.Slot(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	cluster.Counter("tasks").Inc(ctx, 1)
	if err := os.WriteFile(filepath.Join(n.Dir, strconv.Itoa(t.Index)), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return 0, cluster.Fail(err)
	}
	for n.Wait != "" {
		if _, err := os.Stat(filepath.Join(n.Dir, n.Wait)); err == nil {
			break
		}
		select {
		case <-ctx.Done():
			return 0, cluster.Fail(ctx.Err())
		case <-time.After(time.Millisecond):
		}
	}
	return t.Index, nil
}

// add counts and adds numbers.
type add struct{}

func (*add) ProcessElement(ctx context.Context, n int) {
	cluster.Counter("sum").Inc(ctx, int64(n))
}

// spread runs tasks.
func spread(ctx context.Context, o *cluster.Options, tasks int, n *note) (cluster.Counters, error) {
	all := make([]task, tasks)
	for i := range all {
		all[i].Index = i
	}
	p, s := beam.NewPipelineWithRoot()
	done := cluster.Spread(o, s, beam.CreateList(s, all), func(s beam.Scope, in beam.PCollection) beam.PCollection {
		return beam.ParDo(s, n, in)
	})
	beam.ParDo0(s, &add{}, done)
	return o.Run(ctx, p, cluster.Plan{Job: "note"}, io.Discard)
}

// workers returns the processes that worked on tasks, and how many tasks each.
func workers(t *testing.T, dir string) map[int]int {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	pids := map[int]int{}
	for _, at := range names {
		content, err := os.ReadFile(filepath.Join(dir, at.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if pid, err := strconv.Atoi(string(content)); err == nil {
			pids[pid]++
		}
	}
	return pids
}

// shared returns a directory for the notes of workers, which may write one more after the end of their job.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "workers")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 500 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error(err)
	})
	return dir
}

// set sets a flag of Beam's SDK for a test.
func set(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, before) })
}

// TestProcesses: as many processes as asked for share the tasks, and each task is done once.
func TestProcesses(t *testing.T) {
	for processes := range 4 {
		dir := t.TempDir()
		counters, err := spread(t.Context(), &cluster.Options{Runner: "prism", Processes: processes}, 24, &note{Dir: dir})
		if err != nil || counters["tasks"] != 24 || counters["sum"] != 23*24/2 {
			t.Fatalf("%d processes: %v, %v", processes, counters, err)
		}
		pids := workers(t, dir)
		if own := pids[os.Getpid()]; own > 0 != (processes == 0) || len(pids) != max(processes, 1) {
			t.Errorf("%d processes: %v worked, this one is %d", processes, pids, os.Getpid())
		}
		for pid, tasks := range pids {
			if want := 24 / max(processes, 1); tasks != want {
				t.Errorf("%d processes: %d did %d tasks, want %d", processes, pid, tasks, want)
			}
		}
	}
}

// TestProcessEnvironment runs the workers by their command, as Flink does, too.
func TestProcessEnvironment(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	set(t, "environment_type", "PROCESS")
	set(t, "environment_config", fmt.Sprintf(`{"command": %q}`, program))
	dir := t.TempDir()
	counters, err := spread(t.Context(), &cluster.Options{Runner: "prism", Processes: 2}, 8, &note{Dir: dir})
	if err != nil || counters["sum"] != 28 {
		t.Fatalf("%v, %v", counters, err)
	}
	if pids := workers(t, dir); len(pids) != 2 || pids[os.Getpid()] != 0 {
		t.Errorf("%v worked, this is %d", pids, os.Getpid())
	}
}

var killed = regexp.MustCompile(`^worker process [0-9]+ ended \(signal: killed\): ` +
	`run the command again, with more memory if that was short; the files that were written are whole$`)

// TestKilledWorker: a worker that is killed in the middle is a clear error, soon.
func TestKilledWorker(t *testing.T) {
	for _, environment := range []string{"", "PROCESS"} {
		if environment != "" {
			program, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			set(t, "environment_type", environment)
			set(t, "environment_config", fmt.Sprintf(`{"command": %q}`, program))
		}
		dir := shared(t)
		go func() {
			for {
				for pid := range workers(t, dir) {
					_ = syscall.Kill(pid, syscall.SIGKILL)
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		_, err := spread(t.Context(), &cluster.Options{Runner: "prism", Processes: 2}, 8, &note{dir, "never"})
		if err == nil || cluster.ExitCode(err) != message.ExitFailed || !killed.MatchString(err.Error()) {
			t.Errorf("%q: %v", environment, err)
		}
	}
}

// TestCanceled: the end of the context ends the job and its processes.
func TestCanceled(t *testing.T) {
	for processes := range 3 {
		dir := shared(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begun := time.Now()
		_, err := spread(ctx, &cluster.Options{Runner: "prism", Processes: processes}, 8, &note{dir, "never"})
		if !errors.Is(err, context.Canceled) || cluster.ExitCode(err) != message.ExitInterrupted || time.Since(begun) > 5*time.Second {
			t.Errorf("%d processes: %v after %v", processes, err, time.Since(begun))
		}
		for pid := range workers(t, dir) {
			if pid != os.Getpid() {
				dies(t, pid)
			}
		}
	}
}

// TestSlots: not more tasks at a time than processors.
func TestSlots(t *testing.T) {
	dir := shared(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	if _, err := spread(ctx, &cluster.Options{Runner: "prism"}, 64, &note{dir, "never"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := workers(t, dir)[os.Getpid()]; n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d tasks at a time", n)
	}
}
