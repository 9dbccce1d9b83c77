// Package fit trains a model on a table of any size as a pipeline of Apache Beam: workers read the shards of the table
// and keep exact statistics and samples, one worker merges them and trains, or several train the members of a committee.
//
// No bit of the result depends on the shards or on the order in which they are read: statistics are exact sums, quantiles
// are sketches whose counts add up, samples are the rows of least hash, and what depends on the order of the rows, such as
// the numbers of levels, is merged in the order of the shards.
package fit

import (
	"bytes"
	"encoding/gob"
	"errors"
	"strings"

	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/config"
)

// What is trained.
const (
	TrainSample    = "sample"    // one worker trains on the samples of the parts
	TrainAll       = "all"       // one worker trains on all rows, as tskgraph train does
	TrainCommittee = "committee" // each worker trains a member on a sample of rows of its own
)

// Modes returns what may be trained.
func Modes() []string { return []string{TrainSample, TrainAll, TrainCommittee} }

// Job is what the workers know. It is encoded by encoding/gob.
type Job struct {
	Config  []byte       // the resolved configuration, with StandIn as data.path
	Input   string       // the table
	Table   data.Sharded // without the number of rows
	Train   string       // one of Modes
	Members int          // K of a committee; else 0
	Dir     string       // the directory of the run

	Complete bool // shards keep as many rows as the samples have, see data.ErrScarce
}

// StandIn is the name of a table in a configuration, which accepts no URL of an object store.
func StandIn(input string) string { return strings.ReplaceAll(input, "://", "/") }

// decode replaces v by what encoding/gob encoded.
func decode(from []byte, v any) error { return gob.NewDecoder(bytes.NewReader(from)).Decode(v) }

// encode returns v encoded by encoding/gob.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

// config returns the configuration.
func (j *Job) config() (*config.Config, error) { return config.Load(config.Source{Text: j.Config}) }

// task is a shard to read.
type task struct {
	Index, Of int // its number, from 0, and how many the table has
	Rows      int // of the table
	Shard     shard.Shard
	Prior     *data.Prior
}

// piece returns the rows of a shard.
func piece(s shard.Shard, in data.Input) data.Piece {
	return data.Piece{Input: in, Row: int(s.FirstRow), Rows: int(s.Rows)}
}

// gather returns values, and their tasks, in the order of the table.
func gather[T any](values func(*[]byte) bool, decoded func([]byte) (task, T, error)) (tasks []task, all []T, err error) {
	n := 0
	err = each(values, func(from []byte) error {
		t, one, err := decoded(from)
		if err != nil {
			return err
		}
		if tasks == nil {
			tasks, all = make([]task, t.Of), make([]T, t.Of)
		}
		tasks[t.Index], all[t.Index] = t, one
		n++
		return nil
	})
	if err == nil && n < len(tasks) {
		err = errors.New("the runner did not deliver the results of all shards: run the job again")
	}
	return tasks, all, err
}

// each calls do with each of the values that Beam iterates over.
func each(values func(*[]byte) bool, do func([]byte) error) error {
	var one []byte
	for values(&one) {
		if err := do(one); err != nil {
			return err
		}
		one = nil
	}
	return nil
}
