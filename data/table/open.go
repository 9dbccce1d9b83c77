package table

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

var ErrChanged = errors.New("it changed while it was read: copy it, or wait until it is complete")

// openFile opens a table to be read: a file, or the copy of standard input. A regular file that is changed before its end is reached gives an error there in
// place of io.EOF, since an incomplete last row could be read as another one. A file that cannot be opened is an
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

// checkRegular refuses a file that cannot be read twice: WriteParts reads the table again.
func CheckRegular(in Input) error {
	if err := in.Check(); err != nil || in.Scheme() != nil || in.Name == StandardInput {
		return err
	}
	files, err := Files(in.Name)
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return fileFault(file, err)
		}
		if !info.Mode().IsRegular() {
			return Faultf(file, "not a regular file, and a run reads its table twice: save it to a file")
		}
	}
	return err
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
