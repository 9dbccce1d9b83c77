package worker

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// Pool starts a worker process for each worker that a runner asks for (environment type EXTERNAL), and ends it when the
// runner asks for that, or when the pool ends. The instructions of the runner pass through the pool, which answers for
// processes that end in the middle.
type Pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer

	listener net.Listener
	server   *grpc.Server
	said     io.Writer // what the processes print
	share    int       // of the processors, for each process

	mu      sync.Mutex
	workers map[string]*process
	relays  *relays
}

// Listen starts a pool at an address such as localhost:50000 (port 0: any) whose processes share the processors of this
// machine. What they print is written to said.
func Listen(address string, processes int, said io.Writer) (*Pool, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	p := &Pool{listener: listener, server: grpc.NewServer(unlimited...), said: &serial{w: said},
		share: max(runtime.NumCPU()/max(processes, 1), 1), workers: map[string]*process{}, relays: &relays{all: map[string]*relay{}}}
	fnpb.RegisterBeamFnExternalWorkerPoolServer(p.server, p)
	fnpb.RegisterBeamFnControlServer(p.server, p.relays)
	go func() { _ = p.server.Serve(listener) }() // until Close
	return p, nil
}

// Address returns the address of the pool, for --environment_config.
func (p *Pool) Address() string { return p.listener.Addr().String() }

// StartWorker starts a process.
func (p *Pool) StartWorker(ctx context.Context, request *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	if _, err := p.start(ctx, request); err != nil {
		return &fnpb.StartWorkerResponse{Error: err.Error()}, nil
	}
	return &fnpb.StartWorkerResponse{}, nil
}

func (p *Pool) start(ctx context.Context, request *fnpb.StartWorkerRequest) (*process, error) {
	id := request.GetWorkerId()
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, id), request.GetProvisionEndpoint().GetUrl())
	if err != nil {
		return nil, fmt.Errorf("asking the runner what to do: %w", err)
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return nil, err
	}
	control, logging := request.GetControlEndpoint().GetUrl(), request.GetLoggingEndpoint().GetUrl()
	if control == "" {
		control, logging = info.GetControlEndpoint().GetUrl(), info.GetLoggingEndpoint().GetUrl()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers == nil || p.workers[id] != nil {
		return nil, fmt.Errorf("worker %q runs already, or the pool ends", id)
	}
	r, err := newRelay(control, info.GetMetadata()["runner"] == "prism", "w"+id+".")
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(p.Address())
	w, err := launch(p.share, p.said, "--worker", "--id="+id, "--control_endpoint=localhost:"+port, "--logging_endpoint="+logging,
		"--options="+options)
	if err != nil {
		return nil, err
	}
	r.process = w
	p.relays.add(id, r)
	p.workers[id] = w
	go p.watch(id, w)
	return w, nil
}

// watch notes the end of a process, and reports it if it ended by itself.
func (p *Pool) watch(id string, w *process) {
	<-w.gone
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers[id] == w {
		delete(p.workers, id)
	}
	if !w.stopped.Load() {
		fmt.Fprintln(p.said, "tskgraph-beam:", w.end)
	}
}

// StopWorker ends a process.
func (p *Pool) StopWorker(_ context.Context, request *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := request.GetWorkerId()
	if w := p.workers[id]; w != nil {
		delete(p.workers, id)
		w.kill()
	}
	p.relays.remove(id)
	return &fnpb.StopWorkerResponse{}, nil
}

// Close ends all processes and the pool.
func (p *Pool) Close() {
	p.mu.Lock()
	workers := p.workers
	p.workers = nil
	p.mu.Unlock()
	for id, w := range workers {
		w.kill()
		<-w.gone
		p.relays.remove(id)
	}
	p.server.Stop()
}

// serial is a writer for several goroutines.
type serial struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *serial) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
