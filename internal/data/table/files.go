package table

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

var ErrChanged = errors.New("it changed while it was read: copy it, or wait until it is complete")

// OpenFile opens a table to be read: a file, or the copy of standard input. A regular file that is changed before its
// end is reached gives an error there in place of io.EOF, since an incomplete last row could be read as another one. A
// file that cannot be opened is an
// *Error; so is one of a run that is a link or no regular file.
func OpenFile(path string, run bool) (io.ReadCloser, error) {
	if path == StandardInput {
		return openStandardInput()
	}
	open := os.Open
	if run {
		open = safefile.OpenInside
	}
	f, err := open(path)
	if err != nil {
		return nil, fileFault(path, err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return f, nil
	}
	return &watched{File: f, opened: info}, nil
}

// watched is a file that must not change while it is open.
type watched struct {
	*os.File
	opened fs.FileInfo
	read   int64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if w.read += int64(n); w.read > w.opened.Size() {
		return n, ErrChanged
	}
	if err != io.EOF {
		return n, err
	}
	now, err := w.Stat()
	if err == nil && w.read == w.opened.Size() && now.Size() == w.read && now.ModTime().Equal(w.opened.ModTime()) {
		err = io.EOF
	} else if err == nil {
		err = ErrChanged
	}
	return n, err
}

// StandardInput is the name of the table on standard input.
const StandardInput = "-"

// spool is standard input of the process: the file that it is, or its copy, since a pipe can be read once only.
var spool struct {
	sync.Mutex
	done     bool
	file     *os.File
	at, size int64 // where it begins, and the bytes from there
	err      error
}

// SpoolStandardInput copies standard input, unless it is a regular file, to a scratch file in a directory (empty: that for temporary
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

// HashFile returns the SHA-256 of the bytes of a file, or of standard input (-), in hexadecimal. The error is an *Error.
func HashFile(path string) (string, error) {
	f, err := OpenFile(path, false)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fileFault(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
