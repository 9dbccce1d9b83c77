package score

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/model"
)

// readBackground returns the background of explanations as JSON: the sample of a table, by default of train.csv in the directory
// of the model's run. Notes about the table go to w.
func readBackground(ctx context.Context, w io.Writer, m *model.Model, modelPath, table string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-background-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	switch inside := files.Join(modelPath, "train.csv"); {
	case table != "" && !files.IsLocal(table):
		table, err = fetched(ctx, table, dir)
	case table == "" && !files.IsLocal(modelPath) && isFile(ctx, inside):
		modelPath = dir
		_, err = fetched(ctx, inside, dir)
	}
	if err != nil {
		return nil, err
	}
	b, err := prediction.Background(ctx, w, m, modelPath, table)
	if err != nil {
		return nil, err
	}
	return json.Marshal(b)
}

// fetched copies a file of an object store to a directory.
func fetched(ctx context.Context, from, dir string) (to string, err error) {
	r, err := files.Open(ctx, from)
	if err != nil {
		return "", err
	}
	to = filepath.Join(dir, path.Base(from))
	f, err := os.Create(to)
	if err == nil {
		_, err = io.Copy(f, r)
		err = errors.Join(err, f.Close())
	}
	return to, errors.Join(err, r.Close())
}
