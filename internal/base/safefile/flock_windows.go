package safefile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// renamesOpen reports whether a file can be renamed while it is open and locked.
const renamesOpen = false

// nonblocking would open a named pipe without waiting for its writer.
const nonblocking = 0

// flock locks a byte beyond the end of any file, since Windows keeps other processes
// from reading and writing a locked range.
func flock(f *os.File) error {
	beyond := &windows.Overlapped{Offset: 0xfffffffe, OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, beyond)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}
