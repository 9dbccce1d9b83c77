package ensemble_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// someCheckpoints returns small checkpoints of several kinds, as files.
func someCheckpoints(t *testing.T) (files [][]byte) {
	t.Helper()
	all := resumable(t)
	for _, name := range []string{"short rules, pruned", "race, committee, pruned", "anfis least-squares", "grid"} {
		made := 0
		train(t, table(30), nil, ensemble.Run{Recipe: all[name], CheckpointEvery: 1, OnCheckpoint: func(c *checkpoint.Checkpoint) {
			if made++; made == 1 || made%testenv.Cases(60, 29) == 0 {
				files = append(files, fileOf(c))
			}
		}})
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
	testenv.SkipRace(t)
	damaged := 0
	for _, file := range someCheckpoints(t) {
		c := readFile(file)
		if !bytes.Equal(fileOf(c), file) {
			t.Fatal("encoded differently from what was read")
		}
		refused := func(b []byte, what string, at int) {
			t.Helper()
			if _, err := checkpoint.Decode(bytes.NewReader(b)); !errors.Is(err, checkpoint.ErrCheckpoint) {
				t.Fatalf("%s at byte %d of %d: %v", what, at, len(file), err)
			}
			damaged++
		}
		flipped := func(i int, bits byte) {
			t.Helper()
			b := bytes.Clone(file)
			b[i] ^= bits
			refused(b, "flipped", i)
		}
		for i := 0; i < len(file); i += max(1, len(file)/testenv.CaseNumber(60, 150, 500)) {
			refused(file[:i], "cut off", i)
			flipped(i, 1<<(damaged/2%8))
			room := limited(i)
			if err := c.Encode(&room); err == nil {
				t.Fatalf("no error for a disk with room for %d of %d bytes", i, len(file))
			}
		}
		for i := range 300 {
			flipped(i, 0x20) // capital letters
		}
		refused(append(bytes.Clone(file), '\n'), "unexpected data after the content", len(file))
	}
	t.Logf("refused %d damaged files", damaged)
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

// FuzzCheckpoint: any bytes, as a file or as a content with a valid checksum, give an error
// that wraps ErrCheckpoint or a checkpoint that is encoded as it was read. Training resumes
// or refuses any checkpoint of its identity. Nothing panics.
func FuzzCheckpoint(f *testing.F) {
	testenv.SkipRace(f)
	d := drawn(12, 2, [2]uint64{1, 2}, (*rand.Rand).NormFloat64, func(x []float64, _ *rand.Rand) float64 { return x[0] * x[1] })
	all := fuzzedRecipes()
	for _, r := range all {
		made := 0
		run := ensemble.Run{Recipe: r, CheckpointEvery: 1, OnCheckpoint: func(c *checkpoint.Checkpoint) {
			if made++; made%testenv.Cases(4, 1) != 0 {
				return
			}
			file := fileOf(c)
			f.Add(file)
			f.Add(file[bytes.IndexByte(file, '\n')+1:])
		}}
		train(f, d, nil, run)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		decoded(t, b)
		for _, r := range all {
			id, err := checkpoint.Of(r, map[string]*data.Dataset{"training part": d, "validation part": nil, "watched part": nil, "test part": nil})
			if err != nil {
				t.Fatal(err)
			}
			c := decoded(t, sealed(b, id)) // otherwise its identity is refused
			if c == nil {
				continue
			}
			c.Iterations()
			_, err = ensemble.Run{Recipe: r, Resume: c}.Train(context.Background(), d, nil)
			var fault *recipe.Error
			if err != nil && !errors.Is(err, checkpoint.ErrCheckpoint) && !errors.Is(err, optim.ErrDiverged) && !errors.As(err, &fault) {
				t.Fatalf("%T: %v", err, err)
			}
		}
	})
}

// fuzzedRecipes are recipes of short trainings: a single model, a race with a committee,
// least squares, and a tree.
func fuzzedRecipes() []recipe.Recipe {
	single := recipe.Paper()
	single.Model.Rules, single.Train.Iterations, single.Train.Batch, single.Prune.Rounds = 3, 6, 4, 1
	committee := recipe.Robust()
	committee.Model.Rules, committee.Train.Batch, committee.Train.Members = 2, 4, 2
	committee.Train.Race, committee.Train.RaceSplits, committee.Model.Antecedents = []recipe.Setting{{"iterations": 4},
		{"iterations": 6}}, 1, 1
	leastSquares := single
	leastSquares.Model.Init, leastSquares.Model.Consequents, leastSquares.Prune.Rounds = "genfis", recipe.LeastSquares, 0
	leastSquares.Train.Optimizer, leastSquares.Train.Batch, leastSquares.Train.DropRule, leastSquares.Train.L2 = "anfis", 0, 1, 0
	tree := single
	tree.Model.Init, tree.Model.Membership = recipe.Tree, membership.Sigmoid{}
	return []recipe.Recipe{single, committee, leastSquares, tree}
}

// decoded returns the checkpoint of a file, nil if it is refused. The checkpoint must be
// encoded as it was read.
func decoded(t *testing.T, file []byte) *checkpoint.Checkpoint {
	c, err := checkpoint.Decode(bytes.NewReader(file))
	if err != nil {
		if !errors.Is(err, checkpoint.ErrCheckpoint) {
			t.Fatalf("%T: %v", err, err)
		}
		return nil
	}
	if !bytes.Equal(fileOf(c), file) {
		t.Fatal("encoded differently from what was read")
	}
	return c
}

// sealed returns a file with the given content, a valid checksum and an identity.
func sealed(b []byte, id checkpoint.Identity) []byte {
	var content struct {
		Of     map[string]string `json:"of"`
		Race   json.RawMessage   `json:"race,omitempty"`
		Models json.RawMessage   `json:"models,omitempty"`
	}
	if json.Unmarshal(b, &content) != nil {
		return nil
	}
	content.Of = id
	text, err := json.Marshal(content)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(text)
	return fmt.Appendf(nil, "{\"format\":\"tskgraph checkpoint\",\"version\":1,\"size\":%d,\"checksum\":\"sha256:%s\"}\n%s\n", len(text),
		hex.EncodeToString(sum[:]), text)
}

// BenchmarkCheckpoints measures training without checkpoints and with one every five
// seconds, as `train` writes them, and the cost of one.
func BenchmarkCheckpoints(b *testing.B) {
	d, o := table(2000), recipe.Paper()
	o.Train.Iterations = 2000
	for name, tell := range map[string]func(*checkpoint.Checkpoint){"off": nil, "on": func(*checkpoint.Checkpoint) {}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				train(b, d, nil, ensemble.Run{Recipe: o, OnCheckpoint: tell})
			}
		})
	}
	b.Run("encode", func(b *testing.B) {
		var last *checkpoint.Checkpoint
		train(b, d, nil, ensemble.Run{Recipe: o, CheckpointEvery: 1, OnCheckpoint: func(c *checkpoint.Checkpoint) {
			if last == nil || c.Iterations()[0] == 1000 {
				last = c
			}
		}})
		for b.Loop() {
			if err := last.Encode(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}
