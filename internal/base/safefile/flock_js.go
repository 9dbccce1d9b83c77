package safefile

import (
	"os"
	"sync"
	"syscall"
)

// renamesOpen reports whether a file can be renamed while it is open and locked.
const renamesOpen = true

// nonblocking would open a named pipe without waiting for its writer.
const nonblocking = 0

// locked has the locked files by their inode: the file system in memory is of one process, and has
// no locks.
var locked = struct {
	sync.Mutex
	files map[uint64]*os.File
}{files: map[uint64]*os.File{}}

func flock(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	locked.Lock()
	defer locked.Unlock()
	for inode, other := range locked.files {
		if _, err := other.Stat(); err != nil { // closed
			delete(locked.files, inode)
		}
	}
	inode := info.Sys().(*syscall.Stat_t).Ino
	if other := locked.files[inode]; other != nil && other != f {
		return ErrLocked
	}
	locked.files[inode] = f
	return nil
}
