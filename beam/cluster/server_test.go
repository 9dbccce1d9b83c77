//go:build unix

package cluster_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/worker"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

// servePrism is the variable of the environment that makes the program of the tests serve Prism at a port.
const servePrism = "SERVE_PRISM"

// serve serves Prism until it is killed.
func serve(port string) {
	var n int
	if _, err := fmt.Sscan(port, &n); err != nil {
		panic(err)
	}
	if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: n}); err != nil {
		panic(err)
	}
	select {}
}

// server starts Prism in another process, and returns its address.
func server(t *testing.T) (address string, kill func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address = listener.Addr().String()
	listener.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), servePrism+"="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	t.Cleanup(kill)
	for range 1000 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address, kill
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("Prism does not serve")
	return "", nil
}

// TestServer: Prism in another process gives tasks to two workers of a pool, to this process, and to processes that this
// one starts.
func TestServer(t *testing.T) {
	address, _ := server(t)
	set(t, "endpoint", address)
	pool, err := worker.Listen("localhost:0", 2, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, c := range []struct {
		environment string
		processes   int
	}{{"EXTERNAL", 2}, {"", 0}, {"LOOPBACK", 0}, {"", 2}} {
		set(t, "environment_type", c.environment)
		set(t, "environment_config", "")
		if c.environment == "EXTERNAL" {
			set(t, "environment_config", pool.Address())
		}
		dir := t.TempDir()
		counters, err := spread(t.Context(), &cluster.Options{Runner: "prism", Processes: c.processes}, 8, &note{Dir: dir})
		if err != nil || counters["sum"] != 28 || counters["tasks"] != 8 {
			t.Fatalf("%+v: %v, %v", c, counters, err)
		}
		if pids := workers(t, dir); len(pids) != max(c.processes, 1) || pids[os.Getpid()] > 0 != (c.processes == 0) {
			t.Errorf("%+v: %v worked, this is %d", c, pids, os.Getpid())
		}
	}
}

// TestKilledServer: a job server that is killed in the middle, or that was never there, is a clear error.
func TestKilledServer(t *testing.T) {
	address, kill := server(t)
	set(t, "endpoint", address)
	dir := t.TempDir()
	go func() {
		for len(workers(t, dir)) == 0 {
			time.Sleep(time.Millisecond)
		}
		kill()
	}()
	for _, want := range []string{"the job server at " + address + " does not answer any more", "no job server answers at --endpoint " +
		address} {
		_, err := spread(t.Context(), &cluster.Options{Runner: "prism", Processes: 2}, 8, &note{dir, "never"})
		if err == nil || !strings.HasPrefix(err.Error(), want) || cluster.ExitCode(err) != message.ExitFailed ||
			strings.Contains(err.Error(), "\n") {
			t.Error(err)
		}
	}
}

// TestCheck: paths of this machine are for runners on this machine.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		runner, endpoint, environment, path string
		want                                string
	}{
		{"prism", "", "", "a.csv", ""},
		{"prism", "localhost:8073", "", "a.csv", ""},
		{"PrismRunner", "", "", "a.csv", ""},
		{"flink", "localhost:8099", "", "a.csv", ""},
		{"flink", "127.0.0.1:8099", "", "a.csv", ""},
		{"flink", "[::1]:8099", "", "a.csv", ""},
		{"flink", "flink:8099", "LOOPBACK", "a.csv", ""},
		{"flink", "flink:8099", "", "gs://b/a.csv", ""},
		{"flink", "flink:8099", "", "a.csv",
			"a.csv is on this machine, where the workers of flink cannot open it: copy it to gs:// or s3://, or use --runner prism"},
		{"prism", "other:8073", "", "a.csv", "a.csv is on this machine"},
		{"dataflow", "localhost:1", "", "a.csv", "a.csv is on this machine"},
		{"flnk", "", "", "a.csv", `unknown --runner "flnk": did you mean flink?`},
		{"direct", "", "", "a.csv", `unknown --runner "direct": use prism, flink, spark, dataflow, universal`},
	} {
		set(t, "endpoint", c.endpoint)
		set(t, "environment_type", c.environment)
		err := (&cluster.Options{Runner: c.runner}).Check("s3://b/ok.csv", c.path)
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil &&
			(c.want == "" || !strings.HasPrefix(got, c.want) || cluster.ExitCode(err) != message.ExitUsage) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := (&cluster.Options{Runner: "flink", Processes: 2}).Check(); cluster.ExitCode(err) != message.ExitUsage {
		t.Errorf("processes of flink: %v", err)
	}
	set(t, "endpoint", "")
	if _, err := run(t, &cluster.Options{Runner: "spark"}, 0, ""); cluster.ExitCode(err) != message.ExitUsage ||
		!strings.Contains(err.Error(), "needs --endpoint") {
		t.Errorf("no endpoint: %v", err)
	}
}
