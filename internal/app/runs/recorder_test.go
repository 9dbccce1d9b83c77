package runs

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// TestCheckpointNotWritten: the first error about a checkpoint is reported, and no other.
func TestCheckpointNotWritten(t *testing.T) {
	dir, err := safefile.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	var notes []string
	r, err := newRecorder(dir, func(note string) { notes = append(notes, note) })
	if err != nil {
		t.Fatal(err)
	}
	defer func(was func(*os.File) error) { safefile.Fsync = was }(safefile.Fsync)
	full := errors.New("no space left on device")
	safefile.Fsync = func(*os.File) error { return full }
	for range 3 {
		if err := r.write(&tskgraph.Checkpoint{}); !errors.Is(err, full) {
			t.Error(err)
		}
		r.checkpoint(&tskgraph.Checkpoint{})
	}
	if err := r.close(); !errors.Is(err, full) {
		t.Errorf("the metrics are not on the disk: %v", err)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "a checkpoint was not written, training continues: ") {
		t.Errorf("notes: %q", notes)
	}
}
