package safefile

import (
	"io"
	"os"
)

// Spool copies r to a scratch file in dir, or in the directory for temporary files if dir is empty, so that it can be
// read again from its start. See [Scratch].
func Spool(r io.Reader, dir string) (f *os.File, discard func(), err error) {
	if dir == "" {
		dir = os.TempDir()
	}
	f, discard, err = Scratch(dir)
	if err != nil {
		return nil, nil, err
	}
	if _, err = io.Copy(f, r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		discard()
		return nil, nil, err
	}
	return f, discard, nil
}
