// Package checkpoint holds the run state of trainings: the [Checkpoint] and its file, the
// [Identity] of the run that it belongs to, and the [Recorder] that collects the states of
// all trainings of a run and delivers checkpoints.
package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrCheckpoint is wrapped by every error about a damaged checkpoint.
var ErrCheckpoint = errors.New("checkpoint")

// Checkpoint is the state of a run. With the same data and recipe, training resumes from it
// and ends with the same bits as without an interruption.
type Checkpoint struct{ content content }

// content is the content of a checkpoint file.
type content struct {
	Of     map[string]string `json:"of"`               // the identity of the run
	Race   []Job             `json:"race,omitempty"`   // by setting, then by split; empty before or without a race
	Models []*State          `json:"models,omitempty"` // of the members of a committee, or of the single model; null: not started
}

// Job is one training of a race.
type Job struct {
	Done     bool        `json:"done,omitempty"`
	Losses   Float64Bits `json:"squares,omitempty"`  // losses on the held-out samples, weighted, see model.HeldOutLosses
	Alone    Float64Bits `json:"alone,omitempty"`    // those of the strongest rule read alone
	Failed   string      `json:"failed,omitempty"`   // error of a training that diverged
	Training *State      `json:"training,omitempty"` // nil: not started, or done
}

// State is the run state of one training. It is immutable.
type State struct {
	Start     *rules.Clusters `json:"start,omitempty"` // initial positions of the rules
	Stage     int             `json:"stage"`           // stages finished: the first training, then the rounds of pruning
	Rules     Rules           `json:"rules"`           // after these stages, as the next four fields
	Seeds     []byte          `json:"seeds"`           // random stream of the seeds of refinements
	Training  optim.Result    `json:"training"`
	Rounds    []Round         `json:"rounds,omitempty"`
	Fallbacks int             `json:"fallbacks,omitempty"`
	Fit       *FitState       `json:"fit,omitempty"` // of the current stage; nil: not started
}

// FitState is the state within a stage.
type FitState struct {
	Part             int          `json:"part"`                // parts finished
	Training         optim.Result `json:"training"`            // after these parts, as the next field
	Fallbacks        int          `json:"fallbacks,omitempty"` // of all trainings
	rules.Parameters              // now, as the next two fields
	Logarithms       [][]float64  `json:"logarithms,omitempty"` // of the spreads, then scale and shift of batch normalisation
	Estimates        int          `json:"estimates,omitempty"`  // fallbacks of least squares in the current part

	Loop optim.Checkpoint `json:"loop"`
}

// Rules is a rulebase without its shape, which the recipe determines.
type Rules struct {
	rules.Parameters
	SpreadFloor  float64        `json:"spread_floor"`
	MergeWeights []int          `json:"merge_weights,omitempty"`
	Tie          [][]int        `json:"tie,omitempty"`
	Splits       []rules.Split  `json:"splits,omitempty"`
	Keep         []rules.Keep   `json:"keep,omitempty"`
	Without      [][]rules.Keep `json:"without,omitempty"`
}

// RulesOf returns the saved form of a rulebase.
func RulesOf(rb *rules.RuleBase) Rules {
	return Rules{rb.Parameters, rb.SpreadFloor, rb.MergeWeights, rb.Tie, rb.Splits, rb.Keep, rb.Without}
}

// Round is one round of pruning and the refinement after it.
type Round struct {
	rules.Pruning
	RemovedByFiring     int          `json:"removed_by_firing"`
	RemovedBySimilarity int          `json:"removed_by_similarity"` // merged into another
	Account             []string     `json:"account"`               // each decision in words
	Refinement          optim.Result `json:"refinement"`            // iterations are counted from its start
	LossBefore          RoundLoss    `json:"loss_before"`
	LossAfter           RoundLoss    `json:"loss_after"` // of the refined rules
	Metric              string       `json:"metric"`     // name of the criterion of the losses, see model.Criterion
}

// RoundLoss is the figure of the criterion of the rules before or after a round of pruning;
// nil for a missing part.
type RoundLoss struct {
	Validation *float64 `json:"validation,omitempty"`
	Test       *float64 `json:"test,omitempty"` // on the run's test part
}

// finite reports whether all numbers are finite. They may not be just before a training
// diverges; JSON cannot represent such a state, so the last finite one is kept.
func (s *State) finite() bool {
	var all [][]float64
	if f := s.Fit; f != nil {
		all = append(all, f.Consequents...)
		all = append(all, f.Curves...)
		for _, rows := range slices.Concat(f.Antecedents, slices.Collect(maps.Values(f.Loop.Solver.Moments))) {
			all = append(all, rows...)
		}
	}
	return !slices.ContainsFunc(all, func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	})
}

// Racing reports whether the race of settings was running.
func (c *Checkpoint) Racing() bool { return c.content.Race != nil && c.content.Models == nil }

// Iterations returns the completed iterations of each member of a committee or of the
// single model; nil before their training.
func (c *Checkpoint) Iterations() []int {
	var made []int
	for _, s := range c.content.Models {
		n := 0
		switch {
		case s == nil:
		case s.Fit == nil:
			n = s.Training.Iterations
		default:
			n = s.Fit.Training.Iterations + s.Fit.Loop.Iteration
		}
		made = append(made, n)
	}
	return made
}

// Differences returns the changes from the identity of the checkpoint to now, limited to
// the names of now.
func (c *Checkpoint) Differences(now Identity) []Change {
	now = now.asKept()
	return Identity(c.content.Of).differing(now, now)
}

// Float64Bits are numbers, possibly infinite or NaN, that a checkpoint stores exactly: in
// JSON, as the base64 encoding of their little-endian bits.
type Float64Bits []float64

// MarshalText encodes the numbers.
func (b Float64Bits) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 8*len(b))
	for _, v := range b {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText decodes the numbers.
func (b *Float64Bits) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(raw)%8 != 0 {
		return errors.New("the last number is incomplete")
	}
	*b = make(Float64Bits, len(raw)/8)
	for i := range *b {
		(*b)[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return nil
}

const (
	fileFormat  = "tskgraph checkpoint"
	fileVersion = 1
	maxHead     = 1 << 10 // bytes of the first line
	maxContent  = 1 << 30 // bytes of the content
)

// head is the first line of the file, which describes the second.
type head struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Size     int    `json:"size"`     // bytes of the content, which is the second line
	Checksum string `json:"checksum"` // sha256 of the content
}

// Encode writes the checkpoint as two lines of JSON, a head and the content. Numbers are
// exact to the bit.
func (c *Checkpoint) Encode(w io.Writer) error {
	text, err := json.Marshal(c.content)
	if err != nil {
		return fmt.Errorf("%w: not saved: %w", ErrCheckpoint, err)
	}
	first, err := headOf(text)
	if err != nil {
		return err
	}
	_, err = w.Write(append(append(first, text...), '\n'))
	return err
}

// headOf returns the first line of a file with the given content.
func headOf(text []byte) ([]byte, error) {
	if len(text) > maxContent {
		return nil, fmt.Errorf("%w: not saved: %d bytes are more than %d", ErrCheckpoint, len(text), maxContent)
	}
	sum := sha256.Sum256(text)
	first, err := json.Marshal(head{fileFormat, fileVersion, len(text), "sha256:" + hex.EncodeToString(sum[:])})
	return append(first, '\n'), err
}

// Decode reads a checkpoint. A file that differs in any byte from the output of Encode is an
// error that wraps [ErrCheckpoint]. Memory is at most a multiple of the size of the file,
// which is limited to 1 GiB. Resuming a training checks that the checkpoint matches its
// data and recipe.
func Decode(r io.Reader) (*Checkpoint, error) {
	text, err := read(bufio.NewReaderSize(r, maxHead))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	c := &Checkpoint{}
	if err := json.Unmarshal(text, &c.content); err != nil {
		return nil, fmt.Errorf("%w: content: %w", ErrCheckpoint, err)
	}
	again, err := json.Marshal(c.content)
	if err != nil || !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%w: content: a field is missing, unknown or duplicated", ErrCheckpoint)
	}
	return c, nil
}

// read reads both lines and returns the second.
func read(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("the first line is incomplete or too long: not a tskgraph checkpoint")
	}
	line = bytes.Clone(line)
	var first head
	if err := json.Unmarshal(line, &first); err != nil || first.Format != fileFormat {
		return nil, fmt.Errorf("the first line does not name the format %q: not a tskgraph checkpoint", fileFormat)
	}
	if first.Version != fileVersion {
		return nil, fmt.Errorf("version is %d; this program reads version %d", first.Version, fileVersion)
	}
	if first.Size < 0 || first.Size > maxContent {
		return nil, fmt.Errorf("size is %d; at most %d is allowed", first.Size, maxContent)
	}
	var content bytes.Buffer
	if n, err := io.CopyN(&content, r, int64(first.Size)+1); err != nil {
		return nil, fmt.Errorf("the file ends after %d of %d bytes of content: %w", n, first.Size, err)
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return nil, fmt.Errorf("unexpected data after the content")
	}
	text := content.Bytes()[:first.Size]
	if want, err := headOf(text); err != nil || !bytes.Equal(line, want) || content.Bytes()[first.Size] != '\n' {
		return nil, fmt.Errorf("checksum: the file is damaged or was edited")
	}
	return text, nil
}
