package worker

import (
	"context"
	"math"
	"strings"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/tskgraph/tskgraph/beam/failure"
)

// unlimited are the options of servers of Beam: messages of any size.
var unlimited = []grpc.ServerOption{grpc.MaxRecvMsgSize(math.MaxInt32), grpc.MaxSendMsgSize(math.MaxInt32)}

// relays are those of a pool, by the IDs of their workers.
type relays struct {
	fnpb.UnimplementedBeamFnControlServer

	mu  sync.Mutex
	all map[string]*relay
}

func (s *relays) add(id string, r *relay) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[id] = r
}

func (s *relays) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.all[id]; r != nil {
		r.connection.Close()
	}
	delete(s.all, id)
}

// of returns the relay of the worker that calls.
func (s *relays) of(ctx context.Context) (r *relay, id string, err error) {
	if id, err = grpcx.ReadWorkerID(ctx); err != nil {
		return nil, "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r = s.all[id]; r == nil {
		return nil, "", status.Errorf(codes.NotFound, "no worker %s", id)
	}
	return r, id, nil
}

// GetProcessBundleDescriptor passes a question to the runner.
func (s *relays) GetProcessBundleDescriptor(ctx context.Context,
	request *fnpb.GetProcessBundleDescriptorRequest) (*fnpb.ProcessBundleDescriptor, error) {
	r, id, err := s.of(ctx)
	if err != nil {
		return nil, err
	}
	return r.runner.GetProcessBundleDescriptor(grpcx.WriteWorkerID(ctx, id), request)
}

// Control passes instructions to a worker, and its answers to the runner.
func (s *relays) Control(worker fnpb.BeamFnControl_ControlServer) error {
	r, id, err := s.of(worker.Context())
	if err != nil {
		return err
	}
	runner, err := r.runner.Control(grpcx.WriteWorkerID(context.Background(), id)) // outlives the worker
	if err != nil {
		return err
	}
	go r.answers(worker, runner)
	defer r.process.kill() // the job has ended, or the runner
	return r.instructions(worker, runner)
}

// relay is between a runner and a worker process.
type relay struct {
	connection *grpc.ClientConn
	runner     fnpb.BeamFnControlClient
	prism      bool   // the runner is Prism
	mark       string // begins the short IDs of metrics: Prism has one table of them for all workers
	process    *process

	mu     sync.Mutex      // of sending to the runner, too
	active map[string]bool // IDs of instructions without an answer
	ended  bool            // the worker has
}

func newRelay(endpoint string, prism bool, mark string) (*relay, error) {
	connection, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)))
	if err != nil {
		return nil, err
	}
	return &relay{connection: connection, runner: fnpb.NewBeamFnControlClient(connection), prism: prism, mark: mark,
		active: map[string]bool{}}, nil
}

// instructions passes what the runner sends, and answers for a worker that has ended.
func (r *relay) instructions(worker fnpb.BeamFnControl_ControlServer, runner fnpb.BeamFnControl_ControlClient) error {
	for {
		request, err := runner.Recv()
		if err != nil {
			return err
		}
		if m := request.GetMonitoringInfos(); m != nil {
			for i, id := range m.MonitoringInfoId {
				m.MonitoringInfoId[i] = strings.TrimPrefix(id, r.mark)
			}
		}
		r.mu.Lock()
		r.active[request.GetInstructionId()] = true
		ended := r.ended
		r.mu.Unlock()
		if ended {
			r.giveUp(runner)
		} else if err := worker.Send(request); err != nil {
			continue // its end is noticed below
		}
	}
}

// answers passes what the worker sends. When it ends, its open instructions fail. Prism waits for answers also of a worker
// that has hung up; other runners start another.
func (r *relay) answers(worker fnpb.BeamFnControl_ControlServer, runner fnpb.BeamFnControl_ControlClient) {
	for {
		response, err := worker.Recv()
		if err != nil {
			break
		}
		r.rename(response)
		r.mu.Lock()
		delete(r.active, response.GetInstructionId())
		err = runner.Send(response)
		r.mu.Unlock()
		if err != nil {
			return
		}
	}
	<-r.process.gone
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	r.giveUp(runner)
	if !r.prism {
		r.connection.Close()
	}
}

// giveUp answers all open instructions with the end of the worker.
func (r *relay) giveUp(runner fnpb.BeamFnControl_ControlClient) {
	r.mu.Lock()
	defer r.mu.Unlock()
	why := &failure.Failure{Exit: 1, Message: r.process.end +
		": run the command again, with more memory if that was short; the files that were written are whole"}
	for id := range r.active {
		_ = runner.Send(&fnpb.InstructionResponse{InstructionId: id, Error: why.Marked()}) // the runner may have ended, too
	}
	clear(r.active)
}

// rename marks the short IDs of metrics in an answer.
func (r *relay) rename(response *fnpb.InstructionResponse) {
	if b := response.GetProcessBundle(); b != nil {
		b.MonitoringData = marked(r.mark, b.MonitoringData)
	}
	if b := response.GetProcessBundleProgress(); b != nil {
		b.MonitoringData = marked(r.mark, b.MonitoringData)
	}
	if m := response.GetMonitoringInfos(); m != nil {
		m.MonitoringInfo = marked(r.mark, m.MonitoringInfo)
	}
}

func marked[T any](mark string, in map[string]T) map[string]T {
	out := make(map[string]T, len(in))
	for id, value := range in {
		out[mark+id] = value
	}
	return out
}
