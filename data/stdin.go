package data

import (
	"io"
	"os"
	"sync"

	"github.com/tskgraph/tskgraph/internal/safefile"
)

// standardInput is the name of the table on standard input.
const standardInput = "-"

// spool is the copy of standard input of the process, which can be read once only.
var spool struct {
	sync.Mutex
	done bool
	file *os.File
	size int64
	err  error
}

// spoolStandardInput copies standard input to a scratch file in a directory (empty: that for temporary files), unless it was copied
// before. The file has no name, and ends with the process.
func spoolStandardInput(dir string) error {
	spool.Lock()
	defer spool.Unlock()
	if spool.done {
		return spool.err
	}
	spool.done = true
	file, _, err := safefile.Spool(os.Stdin, dir)
	if err == nil {
		spool.file = file
		spool.size, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		spool.err = fileFault(inWords(standardInput), err)
	}
	return spool.err
}

// openStandardInput opens the copy of standard input at its start.
func openStandardInput() (io.ReadCloser, error) {
	if err := spoolStandardInput(""); err != nil {
		return nil, err
	}
	return spooled{io.NewSectionReader(spool.file, 0, spool.size)}, nil
}

// spooled is a reader of the copy.
type spooled struct{ *io.SectionReader }

func (spooled) Close() error { return nil }

// inWords is the name of a table in messages.
func inWords(name string) string {
	if name == standardInput {
		return "standard input"
	}
	return name
}
