package data

import (
	"context"
	"github.com/tskgraph/tskgraph/data/table"
)

// Sharded is a table whose rows are ingested piece by piece, by several processes say, into the parts that Source.Load returns
// of it. A Sharded, and what its methods return, can be encoded by encoding/gob.
//
//	s, err := NewSharded(ctx, source, pieces[0])
//	s.Rows = ...                       // of all pieces
//	if s.Outlined {
//		outlines[i], err = s.Outline(ctx, pieces[i])    // of each piece, in any order
//		priors, err = s.Priors(outlines)
//	}
//	partials[i], err = s.Ingest(ctx, pieces[i], &priors[i], PieceOptions{})    // of each piece, in any order
//	merged, err := s.Merge(partials)   // in the order of the pieces
//	parts, err := merged.Parts(ctx, source)
//
// A table of at most SampleRows rows is divided exactly and not by chance: read it by Source.Load.
type Sharded struct {
	Source   Source       // of the whole table; its Path names it in errors
	Header   table.Header // of the first file
	Rows     int          // the number of rows in all pieces, with those that a reading leaves out
	Outlined bool         // Ingest needs Priors
}

// Piece is a number of rows of a table that follow one another: those of a file, or some of its records under its header. Pieces are in the
// order of the table: the files in that of [Files].
type Piece struct {
	table.Input     // Name is that of the file; Reader, unless nil, reads the header of the file and then the rows of the piece
	Row         int // the number of rows in the pieces before
	Rows        int // the number of rows in the piece
}

// NewSharded returns the table of a source, without the number of its rows. It reads the beginning of the first piece, and checks the source and the
// names of its columns.
func NewSharded(ctx context.Context, s Source, first Piece) (*Sharded, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	switch in := s.Input(s.Path); {
	case s.Path == "":
		return nil, table.KeyFault("data.path", "name the table: built-in data are not divided into pieces")
	case in.Scheme() != nil || s.Path == table.StandardInput:
		return nil, table.KeyFault("data.path", "want files: a database and standard input are not divided into pieces")
	}
	src, file, err := first.OpenFile(table.Delimiters[s.Delimiter])
	if err != nil {
		return nil, err
	}
	header := src.Header()
	header.File = first.Name
	content := &Sharded{Source: s, Header: header}
	c, err := table.NewPart(first.Name, src, file, header)
	if err != nil {
		return nil, err
	}
	content.Outlined, err = content.needsOutlines(ctx, c)
	return content, err
}

// Outline reads a piece for the first time, where Outlined asks for it.
func (s *Sharded) Outline(ctx context.Context, p Piece) (*Outline, error) { return outline(ctx, s, p) }

// Priors returns what the whole table decides about each of its pieces, whose outlines are in the order of the table.
// Outlines that contradict one another are an *Error.
func (s *Sharded) Priors(outlines []*Outline) ([]Prior, error) { return priorsOf(s, outlines) }

// Ingest reads a piece. The prior is nil unless the table is Outlined.
func (s *Sharded) Ingest(ctx context.Context, p Piece, prior *Prior, o PieceOptions) (*Partial, error) {
	return ingestPiece(ctx, s, p, prior, o)
}

// Merge merges the partials of all pieces, in the order of the table. A fault of the table that its pieces do not show is an
// *Error; see also [ErrScarce].
func (s *Sharded) Merge(partials []*Partial) (*Merged, error) { return merged(s, partials) }
