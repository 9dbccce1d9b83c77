//go:build !darwin && !dragonfly && !freebsd && !illumos && !js && !linux && !netbsd && !openbsd && !windows

package safefile

import (
	"errors"
	"os"
)

// renamesOpen reports whether a file can be renamed while it is open and locked.
const renamesOpen = false

func flock(*os.File) error { return errors.ErrUnsupported }
