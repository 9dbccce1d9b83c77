package workbench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// Upload saves a table, completely or not at all, and returns the name that the methods know it by: that of the file, in which
// other characters than letters, digits, dots, dashes and underscores are replaced. A file of this name with other content is kept, as runs
// may name it, and so is one that was not uploaded: the new table gets a number. No lock is held while the content arrives.
func (b *Bench) Upload(name string, content io.Reader) (string, error) {
	u, err := openUploaded(b, true)
	if err != nil {
		return "", err
	}
	defer u.Close()
	f, err := u.Create(".upload", 0o600)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	r, err := receive(f, content, b.options.Limit, name)
	if err != nil {
		return "", err
	}
	stem, extension := divide(name)
	for i := 1; ; i++ {
		free := stem + extension
		if i > 1 {
			free = fmt.Sprintf("%s-%d%s", stem, i, extension)
		}
		if free == b.options.Table {
			continue
		}
		if old, err := u.receipt(free); err == nil && old == r && u.unchanged(free, r) {
			return free, nil
		}
		if err := u.save(f, free, r); !errors.Is(err, fs.ErrExist) {
			return free, err
		}
	}
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

// receive copies a table of at most limit bytes, and returns its receipt; 0 is no limit.
func receive(to io.Writer, from io.Reader, limit int64, name string) (receipt, error) {
	if limit > 0 {
		from = io.LimitReader(from, limit+1)
	}
	hash := sha256.New()
	switch n, err := io.Copy(io.MultiWriter(to, hash), from); {
	case err != nil:
		return receipt{}, err
	case limit > 0 && n > limit:
		return receipt{}, &data.Error{File: name, Message: fmt.Sprintf("more than %d MB: too large for the page; use the command, which reads tables of any size: tskgraph workbench TABLE", limit/1e6)}
	case n == 0:
		return receipt{}, &data.Error{File: name, Message: "the file is empty"}
	default:
		return receipt{n, hex.EncodeToString(hash.Sum(nil))}, nil
	}
}
