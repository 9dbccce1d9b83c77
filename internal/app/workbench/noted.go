package workbench

import (
	"bytes"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/internal/app/progress"
)

// noted keeps the notes that pass through it.
type noted struct {
	to *progress.Events

	mu  sync.Mutex
	all bytes.Buffer
}

func (n *noted) Write(text []byte) (int, error) {
	n.mu.Lock()
	n.all.Write(text)
	n.mu.Unlock()
	return n.to.Write(text)
}

// lines returns the notes so far.
func (n *noted) lines() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	notes := []string{}
	for line := range strings.Lines(n.all.String()) {
		notes = append(notes, progress.Note(line).Text)
	}
	return notes
}
