// Package cluster runs pipelines of Apache Beam: on Prism in this process, on worker processes, and on Flink, Spark and
// Dataflow.
package cluster

import (
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Options are where and how a pipeline runs.
type Options struct {
	Runner  string // prism, flink, spark, dataflow or universal
	DryRun  bool   // print the plan, run nothing
	JSON    bool   // print the summary as one JSON object
	Verbose bool   // log what Beam does
}

// Add adds the flags of the runners to a command: ours, and those of Beam's SDK, whose names have underscores.
func (o *Options) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Runner, "runner", "prism", "`runner`: prism (this machine), flink, spark, dataflow or universal")
	f.BoolVar(&o.DryRun, "dry-run", false, "print the plan and run nothing")
	f.BoolVar(&o.JSON, "json", false, "print the summary as one JSON object")
	f.BoolVarP(&o.Verbose, "verbose", "v", false, "log what the runner and the workers do")
	flag.VisitAll(func(g *flag.Flag) {
		if strings.HasPrefix(g.Name, "test.") || f.Lookup(g.Name) != nil {
			return
		}
		p := pflag.PFlagFromGoFlag(g)
		p.Hidden = !shown[g.Name]
		f.AddFlag(p)
	})
}

// shown are the flags of Beam's SDK that help shows.
var shown = map[string]bool{
	"endpoint": true, "environment_type": true, "environment_config": true, "parallelism": true, "job_name": true, "worker_binary": true,
	"project": true, "region": true, "staging_location": true, "temp_location": true, "num_workers": true, "max_num_workers": true,
}

// log sends the log of Beam's SDK to standard error, or nowhere.
func (o *Options) log() {
	level := slog.Level(100)
	if o.Verbose {
		level = slog.LevelInfo
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})))
}

// Check returns an error about a path on this machine if the runner works on other machines. A runner with an endpoint
// on this machine may read its files.
func (o *Options) Check(paths ...string) error {
	if o.here() {
		return nil
	}
	for _, path := range paths {
		if !strings.Contains(path, "://") {
			return Usage(fmt.Errorf("%s is a file of this machine, which the workers of %s cannot open: copy it to gs:// or s3://, or use --runner prism", path, o.Runner))
		}
	}
	return nil
}

// here reports whether the workers run on this machine.
func (o *Options) here() bool {
	if *jobopts.Endpoint == "" {
		return o.Runner == "prism"
	}
	host, _, err := net.SplitHostPort(*jobopts.Endpoint)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return o.Runner != "dataflow" && (host == "localhost" || ip != nil && ip.IsLoopback())
}
