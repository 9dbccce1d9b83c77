package safefile

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// LockName is the file that keeps other processes out of a directory, as long as the one
// that locked it runs. What a killed process left is no obstacle.
const LockName = "lock"

// ErrLocked is wrapped by the error about a directory that another process works in.
var ErrLocked = errors.New("locked by another tskgraph process; wait for it to end or choose another directory")

// Lock keeps other processes out of the directory until Close. Where the file system has
// no locks, as some network disks, the directory stays open to them, and the note is not
// empty.
func (d *Dir) Lock() (note string, err error) {
	if err := d.check(LockName, 0); err != nil {
		return "", err
	}
	f, err := d.root.OpenFile(LockName, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", d.fault(err)
	}
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		return "", errors.Join(fmt.Errorf("%s is not empty: no lock of tskgraph: %w", d.Path(LockName), ErrInTheWay), err, f.Close())
	}
	err = d.own(f, LockName)
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
	return fmt.Sprintf("%s: the file system has no locks (%v): run no other tskgraph process there at the same time", d.path, err), nil
}

// unlock removes the lock: a process that has just opened it finds that it is gone.
func (d *Dir) unlock() {
	if d.lock != nil {
		_ = d.root.Remove(LockName) // one that stays is no obstacle
		_ = d.lock.Close()
		d.lock = nil
	}
}

// unsupported reports whether a file system lacks what was asked of it.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK)
}
