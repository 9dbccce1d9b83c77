//go:build !darwin && !dragonfly && !freebsd && !illumos && !js && !linux && !netbsd && !openbsd && !windows

package safefile

import (
	"errors"
	"os"
)

// renamesOpen reports whether a file can be renamed while it is open and locked.
const renamesOpen = false

// nonblocking would open a named pipe without waiting for its writer.
const nonblocking = 0

func flock(*os.File) error { return errors.ErrUnsupported }
