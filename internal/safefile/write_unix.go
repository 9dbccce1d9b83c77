//go:build !windows

package safefile

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

func write(path string, content []byte, perm os.FileMode) error {
	return renameio.WriteFile(path, content, perm, renameio.WithTempDir(filepath.Dir(path)))
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
