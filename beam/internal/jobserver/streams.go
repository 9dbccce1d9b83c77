package jobserver

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
)

// GetMessageStream passes on the messages of a job until it ends.
func (s *Server) GetMessageStream(request *jobpb.JobMessagesRequest, to jobpb.JobService_GetMessageStreamServer) error {
	from, err := s.prism.GetMessageStream(to.Context(), request)
	if err != nil {
		return err
	}
	for {
		message, err := from.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = to.Send(message)
		}
		if err != nil {
			return err
		}
	}
}

// ReverseArtifactRetrievalService passes on the artifacts of a job, and records them.
func (s *Server) ReverseArtifactRetrievalService(client jobpb.ArtifactStagingService_ReverseArtifactRetrievalServiceServer) error {
	runner, err := s.staging.ReverseArtifactRetrievalService(client.Context())
	if err != nil {
		return err
	}
	first, err := client.Recv()
	if err != nil {
		return err
	}
	if err := runner.Send(first); err != nil {
		return err
	}
	for { // one artifact each time: the runner asks, the client answers in chunks
		request, err := runner.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = client.Send(request)
		}
		if err != nil {
			return err
		}
		staged := Artifact{Role: request.GetGetArtifact().GetArtifact().GetRoleUrn()}
		if err := pass(client, runner, &staged); err != nil {
			return err
		}
		s.mu.Lock()
		s.jobs[first.GetStagingToken()].Staged = append(s.jobs[first.GetStagingToken()].Staged, staged)
		s.mu.Unlock()
	}
}

// pass passes on the chunks of one artifact.
func pass(client jobpb.ArtifactStagingService_ReverseArtifactRetrievalServiceServer,
	runner jobpb.ArtifactStagingService_ReverseArtifactRetrievalServiceClient, staged *Artifact) error {
	sum := sha256.New()
	for {
		chunk, err := client.Recv()
		if err != nil {
			return err
		}
		data := chunk.GetGetArtifactResponse().GetData()
		sum.Write(data)
		staged.Bytes += int64(len(data))
		if err := runner.Send(chunk); err != nil {
			return err
		}
		if chunk.GetIsLast() {
			staged.SHA256 = hex.EncodeToString(sum.Sum(nil))
			return nil
		}
	}
}
