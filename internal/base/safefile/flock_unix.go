//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package safefile

import (
	"errors"
	"os"
	"syscall"
)

// renamesOpen reports whether a file can be renamed while it is open and locked.
const renamesOpen = true

// nonblocking opens a named pipe without waiting for its writer.
const nonblocking = syscall.O_NONBLOCK

func flock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
