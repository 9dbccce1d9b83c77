package cluster

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/tskgraph/tskgraph/internal/app/message"
)

// stage makes this program what the workers of a runner run, unless --worker_binary names another. Beam's SDK would compile
// the sources of the command, which are seldom where it runs.
func stage(o *Options) error {
	if *jobopts.WorkerBinary != "" || o.inProcess() || o.ownPool() ||
		slices.Contains([]string{"external", "process"}, strings.ToLower(*jobopts.EnvironmentType)) {
		return nil // the workers have it
	}
	if runtime.GOOS != "linux" {
		return message.Usagef("the workers run Linux, this program does not: build it with GOOS=linux and name that file with --worker_binary")
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program for the workers: %w: name it with --worker_binary", err)
	}
	*jobopts.WorkerBinary = program
	return nil
}
