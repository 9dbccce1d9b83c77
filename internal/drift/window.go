package drift

import "sync"

// windowParts is the number of blocks of a window; the oldest is dropped as a whole.
const windowParts = 8

// Window counts the last rows of a stream. Several goroutines may use it.
type Window struct {
	of    *Reference
	each  int       // rows of a block
	idle  sync.Pool // of *Counts
	lock  sync.Mutex
	parts [windowParts]*Counts // from the oldest; nil: none yet
}

// NewWindow returns a window of the last rows: of this number, or up to an eighth less.
func NewWindow(of *Reference, rows int) *Window {
	w := &Window{of: of, each: max(1, rows/windowParts)}
	w.parts[windowParts-1] = of.Count()
	return w
}

// Cells counts the cells of rows, see [Counts.AddCells], for Add.
func (w *Window) Cells(x [][]float64, unknown map[string]int) *Counts {
	c, lent := w.idle.Get().(*Counts)
	if !lent {
		c = w.of.Count()
	}
	c.AddCells(x, unknown)
	return c
}

// Add adds the rows of Cells, which must not be used again, with the rules that decide them.
func (w *Window) Add(c *Counts, decides [][]int) {
	c.AddRules(decides)
	w.lock.Lock()
	if w.parts[windowParts-1].Rows >= w.each {
		copy(w.parts[:], w.parts[1:])
		w.parts[windowParts-1] = w.of.Count()
	}
	w.parts[windowParts-1].Merge(c)
	w.lock.Unlock()
	c.clear()
	w.idle.Put(c)
}

// Compare compares the rows of the window with the training part, see [Reference.Compare]. Without rows it is an error.
func (w *Window) Compare(level float64) (*Report, error) {
	all := w.of.Count()
	w.lock.Lock()
	for _, c := range w.parts {
		if c != nil {
			all.Merge(c)
		}
	}
	w.lock.Unlock()
	return w.of.Compare(all, level)
}
