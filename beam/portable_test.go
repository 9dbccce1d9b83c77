package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow/dataflowlib"
	"google.golang.org/protobuf/proto"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/beam/internal/jobserver"
	"github.com/tskgraph/tskgraph/data"
)

var submitted = map[string][]string{
	"tune": {"tune", "--config", "config.yaml", "--trials", "2", "--out", "tuned"},
	"experiment": {"experiment", "--data", "table.csv", "--target", "heating", "--algorithms", "vMBGD-RDA[R0]", "--membership", "gaussian",
		"--repeats", "2", "--out", "study"},
}

// TestPortable submits the jobs of all commands to a job server as that of Flink, whose workers are processes that it
// starts. They need nothing that Flink's and Spark's portable runners do not have, and the job server gets the flags.
func TestPortable(t *testing.T) {
	for name, args := range submitted {
		t.Run(name, func(t *testing.T) {
			server := jobserver.Start(t)
			args = append(args, "--runner", "flink", "--endpoint", server.Endpoint, "--parallelism", "3", "--job_name", "of-test",
				"--environment_type", "PROCESS", "--environment_config", process(t))
			if stdout, stderr, code := runCommand(t, workplace(t), args...); code != 0 {
				t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
			}
			if len(server.Jobs()) == 0 {
				t.Fatal("no job was submitted")
			}
			for _, job := range server.Jobs() {
				check(t, job)
			}
		})
	}
}

// TestStaged checks that the containers that a runner starts by default get the running program. There are none here: the
// job fails.
func TestStaged(t *testing.T) {
	server := jobserver.Start(t)
	t.Setenv("DOCKER_HOST", "tcp://127.0.0.1:1") // where no Docker is
	args := append(submitted["tune"], "--runner", "spark", "--endpoint", server.Endpoint)
	if stdout, stderr, code := runCommand(t, workplace(t), args...); code != 1 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(program)
	want := jobserver.Artifact{Role: "beam:artifact:role:go_worker_binary:v1", SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(program))}
	jobs := server.Jobs()
	if len(jobs) != 1 || len(jobs[0].Staged) != 1 || jobs[0].Staged[0] != want {
		t.Fatalf("%d jobs; staged %+v, not %+v", len(jobs), jobs[0].Staged, want)
	}
	var image pipepb.DockerPayload
	environment := jobs[0].Pipeline.GetComponents().GetEnvironments()["go"]
	if err := proto.Unmarshal(environment.GetPayload(), &image); err != nil || image.GetContainerImage() != core.DefaultDockerImage ||
		environment.GetUrn() != "beam:env:docker:v1" {
		t.Errorf("environment %s %v, %v", environment.GetUrn(), &image, err)
	}
	translates(t, jobs[0].Pipeline)
}

// translates checks what Beam's SDK makes of a pipeline for Dataflow, which gets the pipeline itself as a file.
func translates(t *testing.T, p *pipepb.Pipeline) {
	t.Helper()
	job, err := dataflowlib.Translate(t.Context(), p, &dataflowlib.JobOptions{Name: "of-test", Project: "p", Region: "r", NumWorkers: 7},
		"gs://b/worker", "gs://b/model", "sum")
	if err != nil {
		t.Fatal(err)
	}
	pool := job.Environment.WorkerPools[0]
	if job.Type != "JOB_TYPE_BATCH" || pool.NumWorkers != 7 || pool.Packages[0].Location != "gs://b/worker" ||
		len(pool.SdkHarnessContainerImages) != 1 || pool.SdkHarnessContainerImages[0].ContainerImage != core.DefaultDockerImage {
		t.Errorf("%s %+v", job.Type, pool)
	}
}

// workplace returns a directory with a table, a configuration and a model.
func workplace(t *testing.T) string {
	t.Helper()
	table, err := os.ReadFile("../docs/heating.csv")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config := "preset: paper\ndata: {path: table.csv, target: heating}\ntrain: {iterations: 20}\noutput: {dir: runs}\n"
	for name, content := range map[string]string{"table.csv": string(table), "config.yaml": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parts, err := data.Source{Path: filepath.Join(dir, "table.csv"), Options: data.Options{Target: "heating"}}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	result, err := tskgraph.Train(t.Context(), parts.Train, nil, tskgraph.Paper())
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Model.Save(filepath.Join(dir, "model.json")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// process is the environment in which a runner starts the program of the tests as a worker.
func process(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{"command": self, "env": map[string]string{asCommand: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	return string(config)
}

// check checks what a job server got.
func check(t *testing.T, job jobserver.Job) {
	t.Helper()
	for _, line := range jobserver.Unportable(job.Pipeline) {
		t.Error("not portable: ", line)
	}
	if n := proto.Size(job.Pipeline); n > 1<<20 { // gRPC in Java takes 4 MiB, Dataflow 10 MB
		t.Errorf("the pipeline has %d bytes", n)
	}
	if !job.Ran || job.Name != "of-test" {
		t.Errorf("job %q: ran %v", job.Name, job.Ran)
	}
	environment := job.Pipeline.GetComponents().GetEnvironments()["go"]
	var workers pipepb.ProcessPayload
	if err := proto.Unmarshal(environment.GetPayload(), &workers); err != nil || environment.GetUrn() != "beam:env:process:v1" ||
		workers.GetEnv()[asCommand] != "1" {
		t.Errorf("environment %s %v, %v", environment.GetUrn(), &workers, err)
	}
	if n := job.Options.GetFields()["beam:option:parallelism:v1"].GetNumberValue(); n != 3 {
		t.Errorf("parallelism %v", n)
	}
}
