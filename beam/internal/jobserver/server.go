// Package jobserver is a job server of Beam for tests. It takes jobs as those of Flink and Spark do, records what a client
// prepares, stages and runs, and hands each job to Prism.
package jobserver

import (
	"context"
	"math"
	"net"
	"slices"
	"sync"
	"testing"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/structpb"
)

// Job is what a client submitted.
type Job struct {
	Name     string
	Pipeline *pipepb.Pipeline
	Options  *structpb.Struct
	Staged   []Artifact // in the order of staging
	Ran      bool
}

// Artifact is a file that a client staged.
type Artifact struct {
	Role   string // the URN of its role
	SHA256 string // of the bytes that arrived, hexadecimal
	Bytes  int64
}

// Server is a job server on a port of this machine.
type Server struct {
	jobpb.UnimplementedJobServiceServer
	jobpb.UnimplementedArtifactStagingServiceServer
	Endpoint string // host:port, for --endpoint

	prism   jobpb.JobServiceClient
	staging jobpb.ArtifactStagingServiceClient

	mu   sync.Mutex
	jobs map[string]*Job // by preparation ID, which is also Prism's staging token
	ids  []string        // in order
}

// Start starts a server that the end of the test stops.
func Start(t testing.TB) *Server {
	t.Helper()
	port := freePort(t)
	client, err := prism.CreateJobServer(t.Context(), prism.Options{Port: port.Port})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(port.String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Endpoint: listener.Addr().String(), prism: client, staging: jobpb.NewArtifactStagingServiceClient(conn),
		jobs: map[string]*Job{}}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(math.MaxInt32))
	jobpb.RegisterJobServiceServer(server, s)
	jobpb.RegisterArtifactStagingServiceServer(server, s)
	go func() { _ = server.Serve(listener) }() // returns at Stop
	t.Cleanup(func() { server.Stop(); conn.Close() })
	return s
}

// freePort returns an address of this machine whose port is free.
func freePort(t testing.TB) *net.TCPAddr {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr)
}

// Jobs returns the jobs so far, in the order in which they were prepared.
func (s *Server) Jobs() []Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	jobs := make([]Job, len(s.ids))
	for i, id := range s.ids {
		jobs[i] = *s.jobs[id]
		jobs[i].Staged = slices.Clone(s.jobs[id].Staged)
	}
	return jobs
}

// Prepare records a job; the client stages its artifacts here, too.
func (s *Server) Prepare(ctx context.Context, request *jobpb.PrepareJobRequest) (*jobpb.PrepareJobResponse, error) {
	response, err := s.prism.Prepare(ctx, request)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs[response.GetPreparationId()] = &Job{Name: request.GetJobName(), Pipeline: request.GetPipeline(),
		Options: request.GetPipelineOptions()}
	s.ids = append(s.ids, response.GetPreparationId())
	response.ArtifactStagingEndpoint = &pipepb.ApiServiceDescriptor{Url: s.Endpoint}
	return response, nil
}

// Run hands a job to Prism.
func (s *Server) Run(ctx context.Context, request *jobpb.RunJobRequest) (*jobpb.RunJobResponse, error) {
	s.mu.Lock()
	if job := s.jobs[request.GetPreparationId()]; job != nil {
		job.Ran = true
	}
	s.mu.Unlock()
	return s.prism.Run(ctx, request)
}

// Cancel cancels a job.
func (s *Server) Cancel(ctx context.Context, request *jobpb.CancelJobRequest) (*jobpb.CancelJobResponse, error) {
	return s.prism.Cancel(ctx, request)
}

// GetState returns the state of a job.
func (s *Server) GetState(ctx context.Context, request *jobpb.GetJobStateRequest) (*jobpb.JobStateEvent, error) {
	return s.prism.GetState(ctx, request)
}

// GetJobMetrics returns the counters of a job.
func (s *Server) GetJobMetrics(ctx context.Context, request *jobpb.GetJobMetricsRequest) (*jobpb.GetJobMetricsResponse, error) {
	return s.prism.GetJobMetrics(ctx, request)
}
