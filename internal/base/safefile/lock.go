package safefile

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// LockName is the name of a directory's lock file. The lock ends with its process; a file
// that a killed process left does no harm.
const LockName = "lock"

// ErrLocked is wrapped by the error about a directory that another process has locked.
var ErrLocked = errors.New("locked by another tskgraph process; wait for it to end or choose another directory")

// Lock locks the directory against other processes until Close. On a file system without
// locks, as some network file systems are, it returns a note to the user instead.
func (d *Dir) Lock() (note string, err error) {
	if err := d.check(LockName, 0); err != nil {
		return "", err
	}
	f, err := d.root.OpenFile(LockName, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", d.fault(err)
	}
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		return "", errors.Join(fmt.Errorf("%s is not a tskgraph lock, since it is not empty: %w", d.Path(LockName), ErrInTheWay), err, f.Close())
	}
	err = own(d, f, LockName)
	switch {
	case err == nil:
		d.lock = f
		return "", nil
	case errors.Is(err, ErrLocked):
		return "", errors.Join(fmt.Errorf("%s: %w", d.path, err), f.Close())
	}
	_ = d.root.Remove(LockName)
	_ = f.Close()
	if !unsupported(err) {
		return "", fmt.Errorf("%s: %w", d.Path(LockName), err)
	}
	return fmt.Sprintf("%s: the file system does not support locks (%v): run only one tskgraph process at a time in this directory", d.path,
		err), nil
}

// unlock removes the lock file before it releases the lock: a process that has opened the
// file in the meantime sees that it is gone.
func (d *Dir) unlock() {
	if d.lock != nil {
		_ = d.root.Remove(LockName) // a stale lock file does no harm
		_ = d.lock.Close()
		d.lock = nil
	}
}

// unsupported reports whether the file system does not support an operation.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK)
}
