package safefile

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// System calls, which tests replace.
var (
	Fsync = (*os.File).Sync
	Chmod = (*os.File).Chmod
	Flock = flock // locks a file until Close; ErrLocked if another process holds the lock
)

// syncIn syncs the entries of a subdirectory of d. Windows needs no sync of directories;
// on network file systems that do not support it, syncIn does nothing.
func syncIn(d *Dir, name string) error {
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
