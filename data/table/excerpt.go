package table

import "errors"

// excerpt is the rows of a table from further down, after the header of the table: their lines are those of the table.
type excerpt struct {
	RowSource
	before int // added to the lines
}

// Next, Decode and Locate make an excerpt a [RowSource], a [Decoder] and a [Locator].
func (e *excerpt) Next(b *Block) error {
	err := e.RowSource.Next(b)
	if _, later := e.RowSource.(Decoder); !later {
		e.move(b)
	}
	return e.fault(err)
}

func (e *excerpt) Decode(b *Block) error {
	d, ok := e.RowSource.(Decoder)
	if !ok {
		return nil
	}
	err := d.Decode(b)
	e.move(b)
	return e.fault(err)
}

func (e *excerpt) Locate(b *Block, row, column int) Place {
	if l, ok := e.RowSource.(Locator); ok {
		return l.Locate(b, row, column) // the place is after the line of the block
	}
	return Place{Line: b.Lines[row]}
}

// move corrects the lines of a block.
func (e *excerpt) move(b *Block) {
	for i := range b.Lines {
		b.Lines[i] += e.before
	}
}

// fault corrects the line of a fault.
func (e *excerpt) fault(err error) error {
	var fault *Error
	if e.before == 0 || !errors.As(err, &fault) || fault.Line == 0 {
		return err
	}
	moved := *fault
	moved.Line += e.before
	return &moved
}
