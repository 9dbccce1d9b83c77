//go:build unix

package cluster_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/worker"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

// servePool is the variable of the environment that makes the program of the tests serve a pool.
const servePool = "SERVE_POOL"

// pool serves a pool until it is killed, and prints its address.
func pool() {
	p, err := worker.Listen("localhost:0", 2, io.Discard)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Address())
	select {}
}

// TestKilledPool: if a pool is killed, as with its machine, its workers end, and the job fails.
func TestKilledPool(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), servePool+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	set(t, "environment_type", "EXTERNAL")
	set(t, "environment_config", strings.TrimSpace(address))
	dir := t.TempDir()
	go func() {
		for len(workers(t, dir)) < 2 {
			time.Sleep(time.Millisecond)
		}
		_ = cmd.Process.Kill()
	}()
	_, err = spread(t.Context(), &cluster.Options{Runner: "prism", Processes: 2}, 8, &note{dir, "never"})
	_ = cmd.Wait() // says that it was killed
	if err == nil || cluster.ExitCode(err) != message.ExitFailed ||
		!strings.HasPrefix(err.Error(), "the job failed: the connection to a worker broke: ") {
		t.Error(err)
	}
	for pid := range workers(t, dir) {
		dies(t, pid)
	}
}

// dies waits until a process has ended.
func dies(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("worker %d still runs", pid)
}
