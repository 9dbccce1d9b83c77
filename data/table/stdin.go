package table

import (
	"io"
	"os"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// standardInput is the name of the table on standard input.
const StandardInput = "-"

// spool is standard input of the process: the file that it is, or its copy, since a pipe can be read once only.
var spool struct {
	sync.Mutex
	done     bool
	file     *os.File
	at, size int64 // where it begins, and the bytes from there
	err      error
}

// spoolStandardInput copies standard input, unless it is a regular file, to a scratch file in a directory (empty: that for temporary
// files), unless it was copied before. The file has no name, and ends with the process.
func SpoolStandardInput(dir string) error {
	spool.Lock()
	defer spool.Unlock()
	if spool.done {
		return spool.err
	}
	spool.done = true
	if spool.err = openSpool(dir); spool.err != nil {
		spool.err = fileFault(inWords(StandardInput), spool.err)
	}
	return spool.err
}

func openSpool(dir string) (err error) {
	spool.file = os.Stdin
	if info, err := os.Stdin.Stat(); err != nil || !info.Mode().IsRegular() {
		if spool.file, _, err = safefile.Spool(os.Stdin, dir); err != nil {
			return err
		}
	}
	if spool.at, err = spool.file.Seek(0, io.SeekCurrent); err != nil {
		return err
	}
	info, err := spool.file.Stat()
	if err == nil {
		spool.size = info.Size() - spool.at
	}
	return err
}

// openStandardInput opens the copy of standard input at its start.
func openStandardInput() (io.ReadCloser, error) {
	if err := SpoolStandardInput(""); err != nil {
		return nil, err
	}
	return spooled{io.NewSectionReader(spool.file, spool.at, spool.size)}, nil
}

// spooled is a reader of the copy.
type spooled struct{ *io.SectionReader }

func (spooled) Close() error { return nil }

// inWords is the name of a table in messages.
func inWords(name string) string {
	if name == StandardInput {
		return "standard input"
	}
	return name
}
