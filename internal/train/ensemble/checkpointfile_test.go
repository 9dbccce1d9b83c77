package ensemble_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/test/slow"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
)

// someCheckpoints returns small checkpoints of several kinds, as files.
func someCheckpoints(t *testing.T) [][]byte {
	var run ensemble.Run
	t.Helper()
	var files [][]byte
	for name, o := range resumable(t) {
		switch name {
		case "short rules, pruned", "race, committee, pruned", "anfis least-squares", "grid":
		default:
			continue
		}
		made := 0
		run.CheckpointEvery = 1
		run.OnCheckpoint = func(c *checkpoint.Checkpoint) {
			if made++; made == 1 || made%slow.Cases(60, 29) == 0 {
				files = append(files, encodedCheckpoint(t, c))
			}
		}
		train(t, table(t, 30), nil, with(run, o))
	}
	return files
}

// limited is a writer that fails after a number of bytes, like a full disk.
type limited int

func (l *limited) Write(b []byte) (int, error) {
	if len(b) > int(*l) {
		n := int(*l)
		*l = 0
		return n, errors.New("no space left on device")
	}
	*l -= limited(len(b))
	return len(b), nil
}

// TestCheckpointFile: a file is read as it was written. A file that is truncated anywhere,
// has a flipped bit anywhere, or has data after its end is refused. Encode returns the
// error of a writer that fails at any byte.
func TestCheckpointFile(t *testing.T) {
	racedetector.Skip(t)
	cut, flipped, full := 0, 0, 0
	for _, file := range someCheckpoints(t) {
		c := decodedCheckpoint(t, file)
		if !bytes.Equal(encodedCheckpoint(t, c), file) {
			t.Fatal("encoded differently from what was read")
		}
		refused := func(b []byte, what string, at int) {
			t.Helper()
			if _, err := checkpoint.Decode(bytes.NewReader(b)); !errors.Is(err, checkpoint.ErrCheckpoint) {
				t.Fatalf("%s at byte %d of %d: %v", what, at, len(file), err)
			}
		}
		step := max(1, len(file)/slow.Cases(60, 500))
		for i := 0; i < len(file); i += step {
			refused(file[:i], "cut off", i)
			cut++
			damaged := bytes.Clone(file)
			damaged[i] ^= 1 << (flipped % 8)
			refused(damaged, "flipped", i)
			flipped++
			room := limited(i)
			if err := c.Encode(&room); err == nil {
				t.Fatalf("no error for a disk with room for %d of %d bytes", i, len(file))
			}
			full++
		}
		for i := range 300 {
			damaged := bytes.Clone(file)
			damaged[i] ^= 0x20 // capital letters
			refused(damaged, "flipped", i)
			flipped++
		}
		refused(append(bytes.Clone(file), '\n'), "unexpected data after the content", len(file))
	}
	t.Logf("refused: %d truncated files, %d with a flipped bit; %d errors of full disks", cut, flipped, full)
}

// TestCheckpointFileRefused: files of other formats and versions are refused with an error
// that names the fault, without allocating more memory than their size.
func TestCheckpointFileRefused(t *testing.T) {
	head := func(version, size int) string {
		return fmt.Sprintf(`{"format":"tskgraph checkpoint","version":%d,"size":%d,"checksum":"sha256:0"}`+"\n", version, size)
	}
	for name, c := range map[string]struct {
		file io.Reader
		says string
	}{
		"empty":    {strings.NewReader(""), "not a tskgraph checkpoint"},
		"spaces":   {io.LimitReader(spaces{}, 10<<30), "not a tskgraph checkpoint"},
		"a model":  {strings.NewReader("{\"format\":\"tskgraph model\"}\n"), `does not name the format "tskgraph checkpoint"`},
		"newer":    {strings.NewReader(head(2, 2) + "{}\n"), "version is 2; this program reads version 1"},
		"huge":     {strings.NewReader(head(1, 2<<30) + "{}\n"), "size is 2147483648"},
		"negative": {strings.NewReader(head(1, -1) + "{}\n"), "size is -1"},
		"liar":     {strings.NewReader(head(1, 1<<30) + "{}\n"), "ends after 3 of 1073741824 bytes of content"},
		"checksum": {strings.NewReader(head(1, 2) + "{}\n"), "checksum"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := checkpoint.Decode(c.file)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, checkpoint.ErrCheckpoint) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes of memory", name, took)
		}
	}
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// TestLeastSquaresFail: if the first estimate fails, training diverges and returns the
// initial model.
func TestLeastSquaresFail(t *testing.T) {
	d := table(t, 60)
	for i := range d.Y {
		d.Y[i] *= 1e307
	}
	o := anfis("least-squares")
	o.Model.Rules, o.Train.Iterations = 3, 5
	r, err := runOf(o).Train(context.Background(), d, nil)
	if err == nil || r == nil || r.Model == nil {
		t.Fatalf("%v, %v", r, err)
	}
	if r.Training.Stopped != "diverged" || r.Training.Iterations != 0 {
		t.Errorf("%+v, %v", r.Training, err)
	}
}
