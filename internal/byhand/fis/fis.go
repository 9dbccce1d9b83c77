// Package fis reads the rules of .fis files, the format of MATLAB's Fuzzy Logic Toolbox and of
// Octave's fuzzy-logic-toolkit.
//
// It reads Sugeno systems of type 1 whose rules join conditions by AND: AndMethod prod or min,
// DefuzzMethod wtaver, outputs constant or linear. The membership functions become those of one
// shape, which a model has, see [families]: trimf and trapmf are trapezoids, for example. Rules of
// equal weights have the weight one; those of the weight zero are left out. Everything else is
// refused with its line.
//
// In files that export/fis wrote, comments name the columns of inputs, the last rule is what the model
// predicts where no rule fires, and the functions of its function files are known.
package fis

import (
	"io"

	"github.com/tskgraph/tskgraph/internal/byhand"
)

func init() {
	byhand.Register(byhand.Format{Title: "fis", Extensions: []string{".fis"}, Read: Read})
}

// Read reads a file. name is its path. Faults are a [byhand.Error] with its line.
func Read(r io.Reader, name string) (*byhand.Rulebook, error) {
	s, err := parse(r, name)
	if err != nil {
		return nil, err
	}
	return s.rulebook()
}
