//go:build linux

package safefile_test

import (
	"errors"
	"syscall"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestPipe checks that a named pipe with the name of a file or of the lock does not block.
func TestPipe(t *testing.T) {
	d := open(t, t.TempDir())
	testenv.OK(t, errors.Join(syscall.Mkfifo(d.Path("pipe"), 0o600), syscall.Mkfifo(d.Path(safefile.LockName), 0o600)))
	_, appending := d.Append("pipe", 0o600)
	_, locking := d.Lock()
	_, opening := safefile.OpenInside(d.Path("pipe"))
	for _, err := range []error{d.Write("pipe", nil, 0o600), appending, locking, opening} {
		testenv.FailsIs(t, err, safefile.ErrInTheWay, "")
	}
}
