package jobserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/state"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

func init() {
	register.DoFn2x0[context.Context, string](&count{})
	register.DoFn3x1[state.Provider, string, int, error](&keep{})
	register.Function1x2(pair)
}

// count counts its elements.
type count struct{}

func (*count) ProcessElement(ctx context.Context, _ string) {
	beam.NewCounter("jobserver", "elements").Inc(ctx, 1)
}

// keep has state.
type keep struct{ Last state.Value[int] }

func (k *keep) ProcessElement(p state.Provider, _ string, n int) error { return k.Last.Write(p, n) }

func pair(name string) (string, int) { return name, 1 }

// set sets a flag of Beam's SDK for a test.
func set(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = flag.Set(name, before) })
}

// TestServer submits a job as a client of Flink does, and checks what the server recorded, and that Prism ran it.
func TestServer(t *testing.T) {
	server := Start(t)
	set(t, "endpoint", server.Endpoint)
	set(t, "environment_type", "LOOPBACK")
	set(t, "job_name", "counting")
	set(t, "parallelism", "3")
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &count{}, beam.CreateList(s, []string{"a", "b"}))
	result, err := flink.Execute(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if counters := result.Metrics().AllMetrics().Counters(); len(counters) != 1 || counters[0].Result() != 2 {
		t.Errorf("counters %v", counters)
	}
	jobs := server.Jobs()
	if len(jobs) != 1 || jobs[0].Name != "counting" || !jobs[0].Ran || len(jobs[0].Staged) != 1 {
		t.Fatalf("%+v", jobs)
	}
	if n := jobs[0].Options.GetFields()["beam:option:parallelism:v1"].GetNumberValue(); n != 3 {
		t.Errorf("parallelism %v", n)
	}
	if found := Unportable(jobs[0].Pipeline); len(found) != 0 {
		t.Errorf("%q", found)
	}
}

// TestUnportable finds state, custom coders without a length prefix, and transforms that Java has not.
func TestUnportable(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &keep{}, beam.ParDo(s, pair, beam.CreateList(s, []string{"a"})))
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	pipeline := marshal(t, edges)
	pipeline.Components.Coders["bare"] = &pipepb.Coder{Spec: &pipepb.FunctionSpec{Urn: "beam:go:coder:custom:v1"}}
	pipeline.Components.Coders["list"] = &pipepb.Coder{Spec: &pipepb.FunctionSpec{Urn: "beam:coder:iterable:v1"},
		ComponentCoderIds: []string{"bare"}}
	pipeline.Components.Pcollections["of lists"] = &pipepb.PCollection{CoderId: "list", IsBounded: pipepb.IsBounded_UNBOUNDED}
	pipeline.Components.Transforms["stream"] = &pipepb.PTransform{Spec: &pipepb.FunctionSpec{Urn: "beam:transform:teststream:v1"}}
	got := strings.Join(Unportable(pipeline), "\n")
	for _, want := range []string{": state", "requirement beam:requirement:pardo:stateful:v1",
		"coder bare: \"beam:go:coder:custom:v1\" without a length prefix",
		"unbounded collection of lists", "transform stream: beam:transform:teststream:v1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func marshal(t *testing.T, edges []*graph.MultiEdge) *pipepb.Pipeline {
	t.Helper()
	environment, err := graphx.CreateEnvironment(t.Context(), graphx.URNEnvDocker, func(context.Context) string { return "image" })
	if err != nil {
		t.Fatal(err)
	}
	pipeline, err := graphx.Marshal(edges, &graphx.Options{Environment: environment})
	if err != nil {
		t.Fatal(err)
	}
	return pipeline
}

// TestStaging stages a worker of several chunks, and checks that its bytes arrived.
func TestStaging(t *testing.T) {
	server := Start(t)
	worker := filepath.Join(t.TempDir(), "worker")
	content := []byte(strings.Repeat("worker", 1<<18))
	if err := os.WriteFile(worker, content, 0o600); err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	beam.CreateList(s, []string{"a"})
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	pipeline := marshal(t, edges)
	if err := runnerlib.UpdateGoEnvironmentWorker(worker, pipeline); err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(server.Endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	id, endpoint, token, err := runnerlib.Prepare(t.Context(), jobpb.NewJobServiceClient(conn), pipeline,
		&runnerlib.JobOptions{Name: "staging"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runnerlib.Stage(t.Context(), id, endpoint, worker, token); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	want := Artifact{Role: "beam:artifact:role:go_worker_binary:v1", SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(content))}
	if got := server.Jobs()[0]; got.Ran || len(got.Staged) != 1 || got.Staged[0] != want {
		t.Errorf("%+v, not %+v", got.Staged, want)
	}
}
