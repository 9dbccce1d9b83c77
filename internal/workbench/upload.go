package workbench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/safefile"
)

// Upload saves a table, completely or not at all, and returns the name that the methods know it by: that of the file, in which
// other characters than letters, digits, dots, dashes and underscores are replaced. A table of this name with other content is kept, as runs
// may name it: the new one gets a number.
func (b *Bench) Upload(name string, content io.Reader) (string, error) {
	b.uploads.Lock()
	defer b.uploads.Unlock()
	dir, err := safefile.MakeDir(directory(b.options.Tables))
	if err != nil {
		return "", err
	}
	defer dir.Close()
	stem, extension := divide(name)
	var taken []string // of tables that may be the same
	free := ""
	for i := 1; free == ""; i++ {
		candidate := stem + extension
		if i > 1 {
			candidate = fmt.Sprintf("%s-%d%s", stem, i, extension)
		}
		switch _, err := os.Lstat(dir.Path(candidate)); {
		case candidate == b.options.Table:
		case errors.Is(err, fs.ErrNotExist):
			free = candidate
		case err != nil:
			return "", err
		default:
			taken = append(taken, candidate)
		}
	}
	f, err := dir.Create(free, 0o666)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	if err := copyLimited(f, content, b.options.Limit, name); err != nil {
		return "", err
	}
	for _, old := range taken {
		if same, err := sameContent(f.File, dir.Path(old)); err != nil || same {
			return old, err
		}
	}
	return free, f.Commit()
}

// divide divides the name of a file into a stem and its extensions (.csv.gz), both without characters that have a meaning.
func divide(name string) (stem, extension string) {
	const mostStem, mostExtension = 60, 12
	base := filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	for range 2 {
		e := filepath.Ext(base)
		if len(e) < 2 || len(e)+len(extension) > mostExtension || e == base {
			break
		}
		base, extension = strings.TrimSuffix(base, e), "."+safefile.Name(e[1:])+extension
		if e = strings.ToLower(e); e != ".gz" && e != ".zst" {
			break
		}
	}
	stem = safefile.Name(base)
	return strings.ToValidUTF8(stem[:min(len(stem), mostStem)], ""), extension
}

// copyLimited copies a table of at most limit bytes; 0 is no limit.
func copyLimited(to io.Writer, from io.Reader, limit int64, name string) error {
	if limit > 0 {
		from = io.LimitReader(from, limit+1)
	}
	switch n, err := io.Copy(to, from); {
	case err != nil:
		return err
	case limit > 0 && n > limit:
		return &data.Error{File: name, Message: fmt.Sprintf("more than %d MB: too large for the page; use the command, which reads tables of any size: tskgraph workbench TABLE", limit/1e6)}
	case n == 0:
		return &data.Error{File: name, Message: "the file is empty"}
	}
	return nil
}

// sameContent reports whether an open file, whose offset is moved, and the file at a path have the same bytes.
func sameContent(f *os.File, path string) (bool, error) {
	other, err := safefile.OpenInside(path)
	if err != nil {
		return false, err
	}
	defer other.Close()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	for a, b := make([]byte, 1<<16), make([]byte, 1<<16); ; {
		n, errA := io.ReadFull(f, a)
		m, errB := io.ReadFull(other, b)
		if !bytes.Equal(a[:n], b[:m]) {
			return false, nil
		}
		if errA != nil || errB != nil {
			return ended(errA) && ended(errB), nil
		}
	}
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
