package safefile

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// The system's calls, which tests replace.
var (
	Fsync = (*os.File).Sync
	Flock = flock // locks a file, or ErrLocked; Close unlocks it
)

// sync brings the entries of a directory to the disk. Windows does so itself; some
// network disks cannot, and need not.
func (d *Dir) sync(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return d.fault(err)
	}
	err = Fsync(f)
	if unsupported(err) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// Sync brings the entries of the directory to the disk.
func (d *Dir) Sync() error { return d.sync(".") }
