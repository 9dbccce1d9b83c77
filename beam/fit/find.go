package fit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// find returns the files of a table by its name, in their order: those of [table.Files], and of object stores those that match, sorted.
func find(ctx context.Context, name string) (found []files.Info, err error) {
	seen := map[string]bool{}
	for _, one := range table.Names(name) {
		list := files.List
		if files.IsLocal(one) {
			list = local
		}
		all, err := list(ctx, one)
		if errors.Is(err, fs.ErrNotExist) {
			err = &data.Error{File: one, Message: "no file matches: correct the name", Err: err}
		}
		if err != nil {
			return nil, err
		}
		for _, file := range all {
			if seen[file.Path] {
				return nil, &data.Error{File: name, Message: fmt.Sprintf("the file %s is named twice: remove one", escape.Quote(file.Path))}
			}
			seen[file.Path] = true
			found = append(found, file)
		}
	}
	return found, nil
}

// local returns the files of this machine.
func local(ctx context.Context, name string) (found []files.Info, err error) {
	names, err := table.Files(name)
	if err != nil {
		return nil, err
	}
	for _, file := range names {
		size, err := files.Size(ctx, file)
		if err != nil {
			return nil, err
		}
		found = append(found, files.Info{Path: file, Size: size})
	}
	return found, nil
}
