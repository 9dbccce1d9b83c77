package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// writeOutput writes a file wholly or not at all: what was there stays until the
// new one is on the disk, with the old one's permissions. A symbolic link is
// followed. Standard output (the path -), a device or a pipe is written to as it
// comes.
func writeOutput(cmd *cobra.Command, path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(cmd.OutOrStdout())
	}
	permissions := fs.FileMode(0o644)
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: name a file in it", path)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	default:
		permissions = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	defer saving()()
	f, err := os.CreateTemp(filepath.Dir(path), ".tskgraph-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does nothing once it is renamed
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Chmod(permissions), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
