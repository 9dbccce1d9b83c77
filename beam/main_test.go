package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// asCommand is the variable of the environment that makes the program of the tests be tskgraph-beam, as a worker, too.
const asCommand = "TSKGRAPH_BEAM_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// runCommand runs tskgraph-beam in a directory, and returns what it prints and its exit code.
func runCommand(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out, errors bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errors
	cmd.Env = append(os.Environ(), asCommand+"=1")
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errors.String(), cmd.ProcessState.ExitCode()
}

// TestCommand checks help and the exit codes of the command line.
func TestCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
	}{{[]string{"--help"}, 0}, {[]string{"--no-such-flag"}, 2}} {
		if _, stderr, code := runCommand(t, t.TempDir(), c.args...); code != c.code {
			t.Errorf("%q: exit code %d, not %d: %s", c.args, code, c.code, stderr)
		}
	}
}
