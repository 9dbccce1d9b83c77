package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/metricsx"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/resource"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/vet"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/tskgraph/tskgraph/beam/worker"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

// patience is how long a job server may take to answer, or to cancel a job.
const patience = 10 * time.Second

// submit runs a pipeline on a job server, and returns its counters. It is what runners/universal of Beam's SDK does, and
// also cancels the job when the context ends.
func submit(ctx context.Context, o *Options, p *beam.Pipeline) (*metrics.Results, error) {
	client, hangUp, err := dial(ctx, o)
	if err != nil {
		return nil, err
	}
	defer hangUp()
	environment, dismiss, err := workers(ctx, o)
	if err != nil {
		return nil, err
	}
	defer dismiss()
	edges, _, err := p.Build()
	if err != nil {
		return nil, err
	}
	if *jobopts.Strict {
		if _, err := vet.Execute(ctx, p); err != nil {
			return nil, err
		}
	}
	hints, err := resourceHints()
	if err != nil {
		return nil, err
	}
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: environment, PipelineResourceHints: hints})
	if err != nil {
		return nil, err
	}
	program, remove, err := staged()
	if err != nil {
		return nil, err
	}
	defer remove()
	if err := runnerlib.UpdateGoEnvironmentWorker(program, pipeline); err != nil {
		return nil, err
	}
	distribute(pipeline, o.Processes)
	id, err := start(ctx, o, client, pipeline, program)
	if err != nil {
		return nil, err
	}
	if *jobopts.Async {
		return nil, notice("job " + id + " runs on: with --async, this command writes neither a summary nor what it makes of the results")
	}
	if err := wait(ctx, client, id); err != nil {
		return nil, err
	}
	return counters(ctx, client, id, pipeline)
}

// resourceHints returns the hints of --resource_hints, about which Beam's SDK panics.
func resourceHints() (hints resource.Hints, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = message.Usagef("--resource_hints: %v", fault)
		}
	}()
	return jobopts.GetPipelineResourceHints(), nil
}

// prismServer is Prism in this process.
var prismServer = sync.OnceValues(func() (jobpb.JobServiceClient, error) {
	return prism.CreateJobServer(context.Background(), prism.Options{})
})

// dial connects to the job server.
func dial(ctx context.Context, o *Options) (client jobpb.JobServiceClient, hangUp func(), err error) {
	endpoint := *jobopts.Endpoint
	switch {
	case endpoint == "" && o.Runner == prismRunner:
		client, err := prismServer()
		return client, func() {}, err
	case endpoint == "":
		return nil, nil, message.Usagef("--runner %s needs --endpoint HOST:PORT, the address of its job server", o.Runner)
	}
	probe, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "tcp", endpoint)
	if err != nil {
		return nil, nil, fmt.Errorf("no job server answers at --endpoint %s: %w", endpoint, err)
	}
	probe.Close()
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, nil, err
	}
	return jobpb.NewJobServiceClient(connection), func() { connection.Close() }, nil
}

// workers returns the environment of the workers, and starts those of this machine.
func workers(ctx context.Context, o *Options) (environment *pipepb.Environment, dismiss func(), err error) {
	urn, config := jobopts.GetEnvironmentUrn(ctx), jobopts.GetEnvironmentConfig
	dismiss = func() {}
	switch {
	case o.ownPool():
		pool, err := worker.Listen("localhost:0", o.Processes, o.said())
		if err != nil {
			return nil, nil, err
		}
		urn, dismiss = graphx.URNEnvExternal, pool.Close
		config = func(context.Context) string { return pool.Address() }
	case o.inProcess():
		loopback, err := extworker.StartLoopback(context.WithoutCancel(ctx), 0)
		if err != nil {
			return nil, nil, err
		}
		urn, config = graphx.URNEnvExternal, loopback.EnvironmentConfig
		dismiss = func() { _ = loopback.Stop(ctx) }
	}
	if environment, err = graphx.CreateEnvironment(ctx, urn, config); err != nil {
		dismiss()
		return nil, nil, message.Usage(err)
	}
	return environment, dismiss, nil
}

// staged returns the program that the job server gets for the workers: none, an empty file, if they have it.
func staged() (path string, remove func(), err error) {
	if *jobopts.WorkerBinary != "" {
		return *jobopts.WorkerBinary, func() {}, nil
	}
	f, err := os.CreateTemp("", "tskgraph-beam-")
	if err != nil {
		return "", nil, err
	}
	return f.Name(), func() { os.Remove(f.Name()) }, f.Close()
}

// start hands a pipeline to the job server, and returns the ID of the job.
func start(ctx context.Context, o *Options, client jobpb.JobServiceClient, pipeline *pipepb.Pipeline, program string) (string, error) {
	options := &runnerlib.JobOptions{
		Name: jobopts.GetJobName(), Experiments: jobopts.GetExperiments(), Worker: program,
		RetainDocker: *jobopts.RetainDockerContainers, Parallelism: *jobopts.Parallelism,
	}
	if o.OnPrism() {
		options.Experiments = append(options.Experiments, "prism_disable_sdf_split") // of bundles: Spread splits
	}
	prepared, endpoint, token, err := runnerlib.Prepare(ctx, client, pipeline, options)
	if err != nil {
		return "", err
	}
	if token, err = runnerlib.Stage(ctx, prepared, endpoint, program, token); err != nil {
		return "", err
	}
	return runnerlib.Submit(ctx, client, prepared, token)
}

// wait waits for the end of a job. If the context ends before, it cancels the job.
func wait(ctx context.Context, client jobpb.JobServiceClient, id string) error {
	err := runnerlib.WaitForCompletion(ctx, client, id)
	if ctx.Err() != nil {
		late, stop := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer stop()
		if _, err := client.Cancel(late, &jobpb.CancelJobRequest{JobId: id}); err != nil {
			return fmt.Errorf("%w; job %s was not canceled: %w", context.Cause(ctx), id, err)
		}
		return context.Cause(ctx)
	}
	if status.Code(err) == codes.Unavailable {
		return fmt.Errorf("the job server at %s does not answer any more: start it and run the command again; the files that were written "+
			"are whole", *jobopts.Endpoint)
	}
	if err != nil {
		return clear(ctx, err)
	}
	state, err := client.GetState(ctx, &jobpb.GetJobStateRequest{JobId: id})
	if err == nil && state.GetState() == jobpb.JobState_CANCELLED {
		return errors.New("the job was canceled on the job server: run the command again")
	}
	return nil
}

// counters returns the counters of a job.
func counters(ctx context.Context, client jobpb.JobServiceClient, id string, pipeline *pipepb.Pipeline) (*metrics.Results, error) {
	response, err := client.GetJobMetrics(ctx, &jobpb.GetJobMetricsRequest{JobId: id})
	if err != nil {
		return nil, fmt.Errorf("job %s is done, but its counters cannot be read: %w", id, err)
	}
	return metricsx.FromMonitoringInfos(pipeline, response.GetMetrics().GetAttempted(), response.GetMetrics().GetCommitted()), nil
}
