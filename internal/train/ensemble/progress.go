package ensemble

import "sync"

// progress counts the trainings of a race and reports their number.
type progress struct {
	report func(done, all int) // nil: nobody

	mu        sync.Mutex
	done, all int
}

// newProgress returns a count of zero of all trainings and reports it.
func newProgress(report func(done, all int), all int) *progress {
	p := &progress{report: report, all: all}
	p.count(0)
	return p
}

// add counts a finished training.
func (p *progress) add() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(p.done + 1)
}

// reach counts the trainings that are not needed, up to a number of trainings.
func (p *progress) reach(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if done > p.done {
		p.count(done)
	}
}

func (p *progress) count(done int) {
	if p.done = done; p.report != nil {
		p.report(p.done, p.all)
	}
}
