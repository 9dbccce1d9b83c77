package optim

// MaskSource draws the masks of mini-batches: which columns, such as rules, each sample uses. [DropRule] is one.
type MaskSource interface {
	// Next draws the mask [rows,R] of the next batch, row-major: 1 where the sample uses the column, else 0; no row is all
	// 0. The slice belongs to the source: the next call overwrites it, and it must not be written to. Nothing is allocated
	// after the first call, as long as rows stays the same.
	Next(rows int) []float64

	// State returns a deep copy of what determines the masks that are still to be drawn.
	State() MaskState

	// Restore sets the state. It refuses, as ErrState and without changing anything, one that is malformed or of a source
	// with other options.
	Restore(MaskState) error
}

// MaskState is the state of a MaskSource. It keeps every bit through JSON.
type MaskState struct {
	Rules int     `json:"rules"`
	Keep  float64 `json:"keep"`
	Masks []byte  `json:"masks"` // the stream of random numbers, as rand.PCG marshals itself
}
