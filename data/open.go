package data

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

var errChanged = errors.New("it changed while it was read: copy it, or wait until it is complete")

// Open opens a table to be read, by NewReader say, and decompresses it as Decompress does. A file that is changed before
// its end is reached gives an error there in place of io.EOF: the row that is being written would be read as another
// one. That the file cannot be opened is an *Error.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileFault(path, err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return &tableFile{Decompress(f), f}, nil
	}
	return &tableFile{Decompress(&watched{File: f, opened: info}), f}, nil
}

// tableFile is the text of a table, and its file.
type tableFile struct {
	io.ReadCloser
	file *os.File
}

func (t *tableFile) Close() error { return errors.Join(t.ReadCloser.Close(), t.file.Close()) }

// watched is a file that should stay what it was when it was opened.
type watched struct {
	*os.File
	opened fs.FileInfo
	read   int64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if w.read += int64(n); w.read > w.opened.Size() {
		return n, errChanged
	}
	if err != io.EOF {
		return n, err
	}
	now, err := w.Stat()
	if err == nil && w.read == w.opened.Size() && now.Size() == w.read && now.ModTime().Equal(w.opened.ModTime()) {
		err = io.EOF
	} else if err == nil {
		err = errChanged
	}
	return n, err
}
