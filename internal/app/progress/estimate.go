package progress

import (
	"math"
	"time"
)

// estimate estimates the time to go from the time that a stage has taken so far.
type estimate struct {
	began time.Time
	done  int // when the stage began: more than zero if a run was resumed
}

// begin returns the estimate of a stage that begins with a step.
func begin(s Step) estimate { return estimate{time.Now(), s.Done} }

// afterRace is the time of the training that follows a race, in trainings of the race: it has all rows of the training part, of
// which a training of the race has nine tenths or less, and then the errors are measured.
const afterRace = 1.25

// left returns the seconds to go after a step, in tenths; nil until something is done, and in a stage of unknown length. Trainings of a
// race run side by side, the one that follows it alone.
func (e estimate) left(s Step, now time.Time) *float64 {
	done := s.Done - e.done
	if done <= 0 || s.Total == 0 {
		return nil
	}
	each := now.Sub(e.began).Seconds() / float64(done)
	left := each * float64(max(0, s.Total-s.Done))
	if s.Stage == Race {
		left += each * float64(max(1, min(s.workers, s.Total))) * afterRace
	}
	left = math.Round(10*left) / 10
	return &left
}
