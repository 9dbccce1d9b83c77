package data

import (
	"errors"
	"io/fs"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// checkScratch checks that scratch files can be created in a directory; empty is that of temporary files. The error is a
// *KeyError.
func checkScratch(dir string) error {
	if dir == "" {
		return nil
	}
	_, discard, err := safefile.Scratch(dir)
	if err == nil {
		discard()
		return nil
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	return table.KeyFault("data.scratch", "%s: %v: name an existing directory in which files can be created", escape.Quote(dir), err)
}
