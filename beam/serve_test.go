//go:build unix

package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestServe: prism and worker say where they serve, serve, and end at a signal; a port in use is an error of usage.
func TestServe(t *testing.T) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	used := listener.Addr().(*net.TCPAddr).Port
	defer listener.Close()
	for _, args := range [][]string{{"prism", "--port", fmt.Sprint(used)}, {"prism", "--port", "0", "--web-port", fmt.Sprint(used)},
		{"worker", "--listen", listener.Addr().String()}, {"worker", "--processes", "0"}, {"worker", "here"}} {
		if _, stderr, code := runCommand(t, "", args...); code != 2 || !strings.HasPrefix(stderr, "tskgraph-beam: ") ||
			strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
		}
	}
	listener.Close()
	for said, args := range map[string][]string{
		fmt.Sprintf("Prism serves at localhost:%d\n", used):   {"prism", "--port", fmt.Sprint(used)},
		fmt.Sprintf("workers start at %s\n", listener.Addr()): {"worker", "--listen", listener.Addr().String()},
	} {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), asCommand+"=1")
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(stderr).ReadString('\n'); line != said {
			t.Errorf("%q: %q, %v", args, line, err)
		}
		if c, err := net.Dial("tcp", listener.Addr().String()); err != nil {
			t.Error(err)
		} else {
			c.Close()
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestRunnersHelp: help has all flags of Beam's SDK that commands have.
func TestRunnersHelp(t *testing.T) {
	stdout, stderr, code := runCommand(t, "", "help", "runners")
	if code != 0 || !strings.Contains(stdout, "--runner flink") || !strings.Contains(stdout, "--subnetwork") ||
		strings.Contains(stdout, "--control_endpoint") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}
