package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
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
			return message.Usagef("the output %s is the input %s: name another file with --out", o.path, path)
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

// part is an output and what writes it.
type part struct {
	output
	write func(io.Writer) error
}

// write is writeAll of one output.
func (o output) write(cmd *cobra.Command, write func(io.Writer) error) error {
	return writeAll(cmd, part{o, write})
}

// writeAll writes outputs: the files completely, all or none, then to standard output, devices and pipes. The old files stay until all new
// ones, with the same permissions, are on disk, and an interrupt leaves no file behind. A symbolic link that the user named is followed.
func writeAll(cmd *cobra.Command, parts ...part) error {
	var files, direct []part
	for _, p := range parts {
		switch isDirect, err := p.direct(); {
		case err != nil:
			return err
		case isDirect:
			direct = append(direct, p)
		default:
			files = append(files, p)
		}
	}
	if err := writeFiles(cmd, files); err != nil {
		return err
	}
	for _, p := range direct {
		if err := p.writeDirectly(cmd); err != nil {
			return err
		}
	}
	return nil
}

func (p part) writeDirectly(cmd *cobra.Command) error {
	if p.path == "-" {
		return p.write(cmd.OutOrStdout())
	}
	f, err := os.OpenFile(p.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(p.write(f), f.Close())
}

func writeFiles(cmd *cobra.Command, parts []part) error {
	defer saving()()
	var files []*safefile.File
	for _, p := range parts {
		f, err := p.create()
		if err != nil {
			return err
		}
		defer f.Discard()
		if err := p.write(f); err != nil {
			return err
		}
		if err := cmd.Context().Err(); err != nil {
			return fmt.Errorf("%s is not written: %w", p.path, err)
		}
		files = append(files, f)
	}
	return safefile.CommitAll(files...)
}

// direct reports whether the output is not a regular file, and refuses one that cannot be written.
func (o output) direct() (bool, error) {
	if err := o.check(); err != nil || o.path == "-" {
		return true, err
	}
	info, err := os.Stat(o.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err == nil && o.fresh:
		return false, message.Usagef("%s already exists: remove it, or name another file with --out", o.path)
	case o.chosen: // create reports what is in the way
		return false, nil
	case err != nil:
		return false, err
	case info.IsDir():
		return false, fmt.Errorf("%s is a directory: name a file in it", o.path)
	}
	return !info.Mode().IsRegular(), nil
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
