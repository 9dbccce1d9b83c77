// Package cluster runs pipelines of Apache Beam: on Prism in this process or on worker processes, and on Flink, Spark and
// Dataflow.
package cluster

import (
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// Options are where and how a pipeline runs.
type Options struct {
	Runner    string // prism, flink, spark, dataflow or universal; Run and Check also take FlinkRunner and the like
	Processes int    // worker processes of Prism; 0: this process works
	DryRun    bool   // print the plan, run nothing
	JSON      bool   // print the summary as one JSON object
	Verbose   bool   // log what Beam does
}

const (
	prismRunner    = "prism"
	dataflowRunner = "dataflow"
)

// runners are those of [Options]. All but dataflow take jobs at an endpoint.
var runners = []string{prismRunner, "flink", "spark", dataflowRunner, "universal"}

// OnPrism reports whether the runner is Prism.
func (o *Options) OnPrism() bool { return o.Runner == prismRunner }

// Add adds the flags of the runners to a command: ours, and those of Beam's SDK, whose names have underscores.
func (o *Options) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Runner, "runner", prismRunner,
		"`runner`: prism (this machine), flink, spark, dataflow or universal (another job server of Beam)")
	f.IntVar(&o.Processes, "processes", 0, "worker `processes` of prism (default: this process works, on all processors)")
	f.BoolVar(&o.DryRun, "dry-run", false, "print the plan and run nothing")
	f.BoolVar(&o.JSON, "json", false, "print the summary as one JSON object")
	f.BoolVarP(&o.Verbose, "verbose", "v", false, "log what the runner and the workers do")
	addSDKFlags(f)
}

// Check returns an error about a runner that does not exist, and about a path on this machine if the workers are on other
// machines. A job server on this machine, and its workers, may read its files.
func (o *Options) Check(paths ...string) error {
	o.Runner = strings.TrimSuffix(strings.ToLower(o.Runner), "runner")
	if !slices.Contains(runners, o.Runner) {
		hint := "use " + strings.Join(runners, ", ")
		if closest := registry.Closest(o.Runner, runners); closest != "" {
			hint = "did you mean " + closest + "?"
		}
		return message.Usagef("unknown --runner %q: %s", o.Runner, hint)
	}
	if o.Processes < 0 || o.Processes > 0 && o.Runner != prismRunner {
		return message.Usagef("--processes is a number of worker processes of --runner prism; other runners have flags of their own (see " +
			"tskgraph-beam help runners)")
	}
	if o.here() {
		return nil
	}
	for _, path := range paths {
		if files.IsLocal(path) {
			return message.Usagef("%s is on this machine, where the workers of %s cannot open it: copy it to gs:// or s3://, or use --runner "+
				"prism", path, o.Runner)
		}
	}
	return nil
}

// here reports whether the workers run on this machine.
func (o *Options) here() bool {
	return o.Runner != dataflowRunner && (jobopts.IsLoopback() || o.serverHere())
}

// serverHere reports whether the job server runs on this machine.
func (o *Options) serverHere() bool {
	if *jobopts.Endpoint == "" {
		return o.OnPrism()
	}
	host, _, err := net.SplitHostPort(*jobopts.Endpoint)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// inProcess reports whether this process does all the work.
func (o *Options) inProcess() bool {
	return jobopts.IsLoopback() || o.Runner == prismRunner && o.serverHere() && *jobopts.EnvironmentType == "" && o.Processes == 0
}

// ownPool reports whether this process starts the worker processes.
func (o *Options) ownPool() bool { return o.Processes > 0 && *jobopts.EnvironmentType == "" }

// said is where worker processes print.
func (o *Options) said() io.Writer {
	if o.Verbose {
		return os.Stderr
	}
	return io.Discard
}

// log sends the log of Beam's SDK to standard error, or nowhere.
func (o *Options) log() {
	handler := slog.Handler(slog.DiscardHandler)
	if o.Verbose {
		handler = slog.NewTextHandler(os.Stderr, nil)
	}
	slog.SetDefault(slog.New(handler))
}
