package safefile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// Dir is a directory that this program writes to. Names are relative to it and cannot
// escape from it; symbolic links below it are not followed.
type Dir struct {
	path string
	root *os.Root
	lock *os.File // nil: not locked
}

// ErrInTheWay is wrapped by the error about a name that belongs to a symbolic link or to
// a file of another type.
var ErrInTheWay = errors.New("remove it or choose another path")

// OpenDir opens an existing directory.
func OpenDir(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Dir{path: path, root: root}, nil
}

// MakeDir creates a directory with its missing parents, syncs the parent of each, and
// opens the directory.
func MakeDir(path string) (*Dir, error) {
	if err := makeAll(path); err != nil {
		return nil, err
	}
	return OpenDir(path)
}

func makeAll(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	parent, _ := split(strings.TrimRightFunc(path, func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(byte(r)) }))
	if err := makeAll(parent); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	d, err := OpenDir(parent)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Path returns the path of a name.
func (d *Dir) Path(name string) string { return filepath.Join(d.path, name) }

// Make creates a subdirectory with the permissions perm (before umask) if it does not
// exist, and syncs its parent.
func (d *Dir) Make(name string, perm fs.FileMode) error {
	if err := d.check(name, fs.ModeDir); err != nil {
		return err
	}
	switch err := d.root.Mkdir(name, perm); {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return d.fault(err)
	}
	return syncIn(d, filepath.Dir(name))
}

// Sub opens an existing subdirectory.
func (d *Dir) Sub(name string) (*Dir, error) {
	if err := d.check(name, fs.ModeDir); err != nil {
		return nil, err
	}
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, d.fault(err)
	}
	return &Dir{path: d.Path(name), root: root}, nil
}

// MakeNew creates a subdirectory and syncs its parent. If the name exists, the error is
// fs.ErrExist.
func (d *Dir) MakeNew(name string) error {
	if err := d.root.Mkdir(name, 0o777); err != nil {
		return d.fault(err)
	}
	return syncIn(d, filepath.Dir(name))
}

// Create starts to write a file in the directory. A new file has the permissions perm
// (before umask), a file that replaces another keeps those of the old one.
func (d *Dir) Create(name string, perm fs.FileMode) (*File, error) {
	if err := d.check(name, 0); err != nil {
		return nil, err
	}
	return create(d, name, perm)
}

// Write writes a file in the directory, as [Write] does.
func (d *Dir) Write(name string, content []byte, perm fs.FileMode) error {
	f, err := d.Create(name, perm)
	if err != nil {
		return err
	}
	return f.finish(content)
}

// WriteNew writes a file that does not exist. If the name exists, the error is
// fs.ErrExist. A killed program may leave a part of the content.
func (d *Dir) WriteNew(name string, content []byte, perm fs.FileMode) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return d.fault(err)
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// Append opens a file in the directory for appending, and creates it if it does not exist.
func (d *Dir) Append(name string, perm fs.FileMode) (*os.File, error) {
	if err := d.check(name, 0); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, perm)
	return f, d.fault(err)
}

// Remove removes a file in the directory, if it exists.
func (d *Dir) Remove(name string) error {
	if err := d.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return d.fault(err)
	}
	return nil
}

// Clear removes the temporary files that killed processes left in the subdirectory name.
// It keeps those of running processes and all other files.
func (d *Dir) Clear(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return d.fault(err)
	}
	names, err := f.Readdirnames(-1)
	for _, n := range names {
		if temporaries.MatchString(n) {
			removeDead(d, filepath.Join(name, n))
		}
	}
	return errors.Join(err, f.Close())
}

// Sync syncs the entries of the directory.
func (d *Dir) Sync() error { return syncIn(d, ".") }

// Close unlocks and closes the directory.
func (d *Dir) Close() error {
	d.unlock()
	return d.root.Close()
}

// check returns an error if name is a file of another type than want (0: a regular file),
// if one of its parents is not a directory, or if any of them is a symbolic link. A name
// that does not exist is no error.
func (d *Dir) check(name string, want fs.FileMode) error {
	parts := strings.Split(filepath.Clean(name), string(filepath.Separator))
	for i := range parts {
		part, is := filepath.Join(parts[:i+1]...), want
		if i+1 < len(parts) {
			is = fs.ModeDir
		}
		info, err := d.root.Lstat(part)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return d.fault(err)
		}
		if err := inTheWay(d.Path(part), info, is); err != nil {
			return err
		}
	}
	return nil
}

// fault replaces the relative path in an error of d.root by the whole path.
func (d *Dir) fault(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return &fs.PathError{Op: at.Op, Path: d.Path(at.Path), Err: at.Err}
	}
	if at := (*os.LinkError)(nil); errors.As(err, &at) {
		return &os.LinkError{Op: at.Op, Old: d.Path(at.Old), New: d.Path(at.New), Err: at.Err}
	}
	return err
}

// OpenInside opens a file in a directory that others may write to, such as that of a run, to be read. It refuses a symbolic link, a
// pipe, a device and a directory at once, by an error that wraps ErrInTheWay, also if another process exchanges the file meanwhile.
func OpenInside(path string) (*os.File, error) {
	named, err := os.Lstat(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.Unwrap(err)}
	}
	if err := inTheWay(path, named, 0); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := f.Stat(); err != nil || !os.SameFile(named, opened) {
		_ = f.Close()
		return nil, fmt.Errorf("%s was replaced while it was opened: %w", path, ErrInTheWay)
	}
	return f, nil
}

// ReadInside reads a file that OpenInside opens.
func ReadInside(path string) ([]byte, error) {
	f, err := OpenInside(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// inTheWay returns an error if the file at a path is a symbolic link or of another type than want (0: a regular file).
func inTheWay(path string, info fs.FileInfo, want fs.FileMode) error {
	switch kind := info.Mode().Type(); {
	case kind == want:
		return nil
	case kind&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link, which is not followed here: %w", path, ErrInTheWay)
	case want == fs.ModeDir:
		return fmt.Errorf("%s is not a directory: %w", path, ErrInTheWay)
	}
	return fmt.Errorf("%s is not a regular file: %w", path, ErrInTheWay)
}

// maxName is the length of a name, in bytes.
const maxName = 80

// Name returns text as a file name, or part of one, of at most 80 bytes: it replaces every character but letters and
// digits of any language, dots, dashes and underscores by an underscore, and trims leading punctuation. If nothing is
// left it returns "data".
func Name(text string) string {
	safe := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Letter, unicode.Digit) || strings.ContainsRune("-._", r) {
			return r
		}
		return '_'
	}, text)
	safe = strings.ToValidUTF8(safe[:min(len(safe), maxName)], "")
	return cmp.Or(strings.TrimLeft(safe, ".-_"), "data")
}

// System calls, which tests replace.
var (
	Fsync = (*os.File).Sync
	Chmod = (*os.File).Chmod
	Flock = flock // locks a file until Close; ErrLocked if another process holds the lock
)

// syncIn syncs the entries of a subdirectory of d. Windows needs no sync of directories;
// on network file systems that do not support it, syncIn does nothing.
func syncIn(d *Dir, name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return d.fault(err)
	}
	err = Fsync(f)
	if unsupported(err) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
