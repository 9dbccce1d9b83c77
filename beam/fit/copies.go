package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// copies are files of object stores, by their copies on this machine.
type copies map[string]string

// table returns the name of a table on this machine: the given one if its files are there, else that of copies in a directory.
func (c copies) table(ctx context.Context, of []string, name, dir string) (string, error) {
	var all []string
	for _, file := range of {
		if files.IsLocal(file) {
			return name, nil
		}
		to := filepath.Join(dir, fmt.Sprintf("%05d-%s", len(c), strings.ReplaceAll(filepath.Base(file), ",", "_")))
		if err := fetch(ctx, file, to); err != nil {
			return "", err
		}
		c[to] = file
		all = append(all, to)
	}
	return table.List(all), nil
}

// named gives a fault of a copy the name of the file.
func (c copies) named(err error) error {
	var fault *data.Error
	if errors.As(err, &fault) && c[fault.File] != "" {
		fault.File = c[fault.File]
	}
	return err
}

// fetch copies a file to this machine.
func fetch(ctx context.Context, from, to string) (err error) {
	in, err := files.Open(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// copyFile writes a file of this machine, if it exists, to a path of any store.
func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	return files.Write(ctx, to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

func write(ctx context.Context, path string, content []byte) error {
	return files.Write(ctx, path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
