package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/internal/safefile"
)

// output is a file that a command writes.
type output struct {
	path   string   // - for standard output
	chosen bool     // the path is the command's default, not the user's: a symbolic link is not followed
	fresh  bool     // likewise, in a directory that may hold files of others: the file must not exist
	reads  []string // files that the command reads and must not overwrite
}

// check refuses an output that is an input, under whatever name.
func (o output) check() error {
	if o.path == "-" {
		return nil
	}
	for _, path := range o.reads {
		if safefile.Same(o.path, path) {
			return usageError{fmt.Errorf("the output %s is the input %s: name another file with --out", o.path, path)}
		}
	}
	return nil
}

// modelFiles returns the files of a model: those of its run if path is a directory.
func modelFiles(path string) []string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}
	}
	var files []string
	for _, name := range runs.Files() {
		files = append(files, filepath.Join(path, name))
	}
	return files
}

// write writes the file completely or not at all: the old file stays until the new one, with the same permissions, is on
// disk, and an interrupt leaves no file behind. A symbolic link that the user named is followed. Standard output, devices
// and pipes are written to directly.
func (o output) write(cmd *cobra.Command, write func(io.Writer) error) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.path == "-" {
		return write(cmd.OutOrStdout())
	}
	info, err := os.Stat(o.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err == nil && o.fresh:
		return usageError{fmt.Errorf("%s already exists: remove it, or name another file with --out", o.path)}
	case o.chosen: // create reports what is in the way
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: name a file in it", o.path)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	defer saving()()
	f, err := o.create()
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	if err := cmd.Context().Err(); err != nil {
		return fmt.Errorf("%s is not written: %w", o.path, err)
	}
	return f.Commit()
}

func (o output) create() (*safefile.File, error) {
	if o.chosen {
		return safefile.CreateInside(o.path, 0o666)
	}
	path := o.path
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	return safefile.Create(path, 0o666)
}
