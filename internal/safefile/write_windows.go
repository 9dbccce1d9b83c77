package safefile

import (
	"errors"
	"os"
	"path/filepath"
)

func write(path string, content []byte, perm os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does nothing once it is renamed
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Chmod(perm), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// syncDir does nothing: Windows keeps directories safe itself.
func syncDir(string) error { return nil }
