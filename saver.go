package tskgraph

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tskgraph/tskgraph/data"
)

// checkpointEvery is the default of Options.CheckpointEvery.
const checkpointEvery = 5 * time.Second

// saver knows where all trainings of one Train stand, and tells now and then.
type saver struct {
	tell  func(*Checkpoint) // nil: nobody
	every time.Duration
	clock func() time.Time

	mu    sync.Mutex // guards what follows, and tell
	state checkpointContent
	told  time.Time
}

// newSaver begins with Options.Resume, if that is a checkpoint of this training.
func newSaver(train, validation *data.Dataset, o Options) (*saver, error) {
	s := &saver{tell: o.OnCheckpoint, every: o.CheckpointEvery, clock: time.Now}
	if s.every == 0 {
		s.every = checkpointEvery
	}
	if o.OnCheckpoint == nil && o.Resume == nil {
		return s, nil
	}
	of, err := o.origin(train, validation)
	if err != nil {
		return nil, err
	}
	s.state.Of = of
	if o.Resume == nil {
		return s, nil
	}
	before := o.Resume.content
	for name := range before.Of {
		if _, ok := of[name]; !ok {
			of[name] = "" // so that it counts as changed
		}
	}
	if changes := differences(before.Of, of); len(changes) > 0 {
		return nil, &ChangedError{changes}
	}
	s.state = checkpointContent{Of: before.Of, Race: slices.Clone(before.Race), Models: slices.Clone(before.Models)}
	return s, nil
}

// write tells where everything stands.
func (s *saver) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writeLocked()
}

func (s *saver) writeLocked() {
	if s.tell == nil {
		return
	}
	s.told = s.clock()
	s.tell(&Checkpoint{checkpointContent{Of: s.state.Of, Race: slices.Clone(s.state.Race), Models: slices.Clone(s.state.Models)}})
}

// passed reports whether it is time again. A clock that was put back does not keep it
// waiting.
func (s *saver) passed(since time.Time) bool {
	d := s.clock().Sub(since)
	return d >= s.every || d < 0
}

// models returns the places of n models.
func (s *saver) models(n int) ([]*place, error) {
	if s.state.Models == nil {
		s.state.Models = make([]*standing, n)
	}
	if got := len(s.state.Models); got != n {
		return nil, fmt.Errorf("%w: %d models, where %d are trained", ErrCheckpoint, got, n)
	}
	places := make([]*place, n)
	for k := range places {
		places[k] = s.place(&s.state.Models[k])
	}
	return places, nil
}

// race returns the n trainings of a race.
func (s *saver) race(n int) ([]raceJob, error) {
	if s.state.Race == nil {
		s.state.Race = make([]raceJob, n)
	}
	if got := len(s.state.Race); got != n {
		return nil, fmt.Errorf("%w: a race of %d trainings, where %d are made", ErrCheckpoint, got, n)
	}
	return s.state.Race, nil
}

// finish notes the outcome of a training of the race.
func (s *saver) finish(job *raceJob, done raceJob) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*job = done
	s.writeLocked()
}

// place is where one training leaves word of where it stands. A nil place takes none.
type place struct {
	saver *saver
	at    **standing
	from  *standing // where the training is to go on; nil: it begins
	last  time.Time // when it left word
}

func (s *saver) place(at **standing) *place {
	return &place{saver: s, at: at, from: *at, last: s.clock()}
}

// asked reports whether somebody wants to know.
func (p *place) asked() bool { return p != nil && p.saver.tell != nil }

// due reports whether it is time to leave word.
func (p *place) due() bool { return p.saver.passed(p.last) }

// put leaves word; at the end of a stage it is told at once.
func (p *place) put(st *standing, endOfStage bool) {
	if !st.finite() {
		return
	}
	p.saver.mu.Lock()
	defer p.saver.mu.Unlock()
	*p.at, p.last = st, p.saver.clock()
	if endOfStage || p.saver.passed(p.saver.told) {
		p.saver.writeLocked()
	}
}
