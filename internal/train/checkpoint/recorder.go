package checkpoint

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Every is the default of [Options.Every].
const Every = 5 * time.Second

// Options control who receives checkpoints, and which one a run resumes.
type Options struct {
	// OnCheckpoint, if not nil, receives checkpoints: at the start, about every Every, when
	// a training of the race, a member of a committee or a stage is finished, when the
	// context ends the run, and when rows cannot be read. Calls do not overlap, and training
	// waits for them.
	OnCheckpoint func(*Checkpoint)
	Every        time.Duration // 0: five seconds
	Resume       *Checkpoint   // nil: the run starts from the beginning
}

// Recorder collects the states of all trainings of a run and delivers checkpoints.
type Recorder struct {
	receive func(*Checkpoint) // nil: nobody
	every   time.Duration
	clock   func() time.Time

	mu     sync.Mutex // guards the following, and receive
	state  content
	passed time.Time // when the last checkpoint was delivered
}

// NewRecorder returns a recorder that starts from o.Resume, if any. If that has another
// identity, the error is a *[ChangedError]. NewRecorder calls identity only if checkpoints
// are written or resumed.
func NewRecorder(o Options, identity func() (Identity, error)) (*Recorder, error) {
	r := &Recorder{receive: o.OnCheckpoint, every: o.Every, clock: time.Now}
	if r.every == 0 {
		r.every = Every
	}
	if o.OnCheckpoint == nil && o.Resume == nil {
		return r, nil
	}
	id, err := identity()
	if err != nil {
		return nil, err
	}
	id = id.asKept()
	r.state.Of = id
	if o.Resume == nil {
		return r, nil
	}
	before := o.Resume.content
	if changes := Identity(before.Of).Differences(id); len(changes) > 0 {
		return nil, &ChangedError{changes}
	}
	r.state = content{Of: before.Of, Race: slices.Clone(before.Race), Models: slices.Clone(before.Models)}
	return r, nil
}

// Record delivers a checkpoint of the current states.
func (r *Recorder) Record() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.record()
}

func (r *Recorder) record() {
	if r.receive == nil {
		return
	}
	r.passed = r.clock()
	r.receive(&Checkpoint{content{Of: r.state.Of, Race: slices.Clone(r.state.Race), Models: slices.Clone(r.state.Models)}})
}

// elapsed reports whether a checkpoint is due since a time. A clock that was set back makes
// it due.
func (r *Recorder) elapsed(since time.Time) bool {
	d := r.clock().Sub(since)
	return d >= r.every || d < 0
}

// Models returns the checkpoint slots of n models.
func (r *Recorder) Models(n int) ([]*Slot, error) {
	if r.state.Models == nil {
		r.state.Models = make([]*State, n)
	}
	if got := len(r.state.Models); got != n {
		return nil, fmt.Errorf("%w: %d models instead of %d", ErrCheckpoint, got, n)
	}
	slots := make([]*Slot, n)
	for k := range slots {
		slots[k] = r.slot(&r.state.Models[k])
	}
	return slots, nil
}

// Jobs returns the n trainings of a race.
func (r *Recorder) Jobs(n int) ([]Job, error) {
	if r.state.Race == nil {
		r.state.Race = make([]Job, n)
	}
	if got := len(r.state.Race); got != n {
		return nil, fmt.Errorf("%w: a race of %d trainings instead of %d", ErrCheckpoint, got, n)
	}
	return r.state.Race, nil
}

// Slot returns the checkpoint slot of a training of the race.
func (r *Recorder) Slot(j *Job) *Slot { return r.slot(&j.Training) }

// Finish records the outcome of a training of the race.
func (r *Recorder) Finish(j *Job, done Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*j = done
	r.record()
}

// Slot receives the run states of one training. A nil Slot ignores them.
type Slot struct {
	From *State // state to resume; nil: the training starts from the beginning

	recorder *Recorder
	at       **State
	last     time.Time // when it last received a state
}

func (r *Recorder) slot(at **State) *Slot {
	return &Slot{From: *at, recorder: r, at: at, last: r.clock()}
}

// Active reports whether checkpoints are delivered to a callback.
func (s *Slot) Active() bool { return s != nil && s.recorder.receive != nil }

// Due reports whether it is time for the next state.
func (s *Slot) Due() bool { return s.recorder.elapsed(s.last) }

// Put records a state; at the end of a stage it delivers a checkpoint immediately. It
// ignores a state that is not finite.
func (s *Slot) Put(state *State, endOfStage bool) {
	if s == nil || !state.finite() {
		return
	}
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	*s.at, s.last = state, s.recorder.clock()
	if endOfStage || s.recorder.elapsed(s.recorder.passed) {
		s.recorder.record()
	}
}
