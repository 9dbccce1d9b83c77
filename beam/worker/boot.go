// Package worker runs worker processes of a job: this program as a runner starts it, and a pool that starts it for runners
// that ask over the network.
package worker

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
)

// leashed is the variable of the environment that ends a worker when its standard input ends, which is when its pool ends.
const leashed = "TSKGRAPH_BEAM_LEASHED"

// Started reports whether a runner or a [Pool] has started this program as a worker, by its arguments: --worker, or
// --provision_endpoint in the environment type PROCESS.
func Started(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--worker" || arg == "--worker=true" || strings.HasPrefix(arg, "--provision_endpoint=")
	})
}

// Run does the work that a runner gives to this process, until the runner or an error ends it.
func Run(ctx context.Context, args []string) error {
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--provision_endpoint=") }) {
		return supervise(ctx, args)
	}
	if os.Getenv(leashed) != "" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(1)
		}()
	}
	if err := flag.CommandLine.Parse(args); err != nil {
		return err
	}
	beam.Init() // ends the process
	return nil
}

// supervise is a pool of one process, for a runner that starts workers by a command. The arguments are those of Beam's
// containers.
func supervise(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("worker", flag.ContinueOnError)
	id := f.String("id", "", "")
	provision := f.String("provision_endpoint", "", "")
	control := f.String("control_endpoint", "", "")
	logging := f.String("logging_endpoint", "", "")
	f.String("artifact_endpoint", "", "") // this program needs no other files
	f.String("semi_persist_dir", "", "")  // nor does it keep any
	if err := f.Parse(args); err != nil {
		return err
	}
	pool, err := Listen("localhost:0", 1, os.Stderr)
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := pool.start(ctx, &fnpb.StartWorkerRequest{
		WorkerId:          strings.Trim(*id, "'"), // Prism quotes it as for a shell
		ProvisionEndpoint: &pipepb.ApiServiceDescriptor{Url: *provision},
		ControlEndpoint:   &pipepb.ApiServiceDescriptor{Url: *control},
		LoggingEndpoint:   &pipepb.ApiServiceDescriptor{Url: *logging},
	})
	if err != nil {
		return err
	}
	<-w.gone
	if w.stopped.Load() {
		return errors.New("the runner has ended")
	}
	<-ctx.Done() // the runner hears how the worker ended, and ends this process
	return context.Cause(ctx)
}
