package cli

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/tskgraph/tskgraph/internal/app/message"
)

// brokenPipe fails after some writes.
type brokenPipe int

func (b *brokenPipe) Write(p []byte) (int, error) {
	if *b--; *b < 0 {
		return 0, errors.New("nobody reads")
	}
	return len(p), nil
}

// TestEventsWithoutReader: training stops as by an interrupt when its events cannot be written.
func TestEventsWithoutReader(t *testing.T) {
	for writes := range 3 {
		left := brokenPipe(writes)
		code := run(context.Background(), []string{"train", "--progress", "json", "--set", "preset=paper", "--set", "train.iterations=100000000", "--set", "output.dir=" + t.TempDir()},
			nil, io.Discard, &left)
		if code != message.ExitInterrupted {
			t.Errorf("after %d events: exit code %d, want %d", writes, code, message.ExitInterrupted)
		}
	}
}
