package workbench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// uploaded is the directory of the tables that the page has saved. Each has a receipt in a file beside it, .NAME.json, which is no
// name of a table: what has none is a file of the user.
type uploaded struct {
	*safefile.Dir
	private bool // all files are uploaded
}

// receipt says what was saved as a table.
type receipt struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func receiptName(table string) string { return "." + table + ".json" }

// openUploaded opens the directory of the tables, which is no symbolic link. With create it exists afterwards.
func openUploaded(b *Bench, create bool) (*uploaded, error) {
	open := safefile.OpenDir
	if create {
		open = safefile.MakeDir
	}
	above, name := filepath.Split(filepath.Clean(b.options.Tables))
	parent, err := open(cmp.Or(above, "."))
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	if create {
		if err := parent.Make(name, 0o700); err != nil {
			return nil, err
		}
	}
	dir, err := parent.Sub(name)
	if err == nil {
		err = dir.Clear(".") // of uploads whose process was killed
	}
	return &uploaded{dir, b.options.Private}, err
}

// tablesOf returns the names of the uploaded tables, sorted.
func tablesOf(b *Bench) ([]string, error) {
	names := []string{}
	u, err := openUploaded(b, false)
	if err != nil {
		return names, unlessMissing(err)
	}
	defer u.Close()
	all, err := os.ReadDir(u.Path("."))
	for _, e := range all {
		if !plain(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if _, fault := u.receipt(e.Name()); fault == nil || u.private {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// unlessMissing returns an error but that of a file that does not exist.
func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (u *uploaded) has(name string) bool {
	_, err := os.Lstat(u.Path(name))
	return err == nil
}

// receipt reads the receipt of a table.
func (u *uploaded) receipt(table string) (r receipt, err error) {
	f, err := safefile.OpenInside(u.Path(receiptName(table)))
	if err != nil {
		return r, err
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 1<<10))
	d.DisallowUnknownFields()
	if err = d.Decode(&r); err == nil && len(r.SHA256) != hex.EncodedLen(sha256.Size) {
		err = errors.New("not a receipt")
	}
	return r, err
}

// unchanged reports whether a table is what its receipt says.
func (u *uploaded) unchanged(table string, r receipt) bool {
	f, err := safefile.OpenInside(u.Path(table))
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != r.Bytes {
		return false
	}
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return err == nil && hex.EncodeToString(hash.Sum(nil)) == r.SHA256
}

// save gives a file that was received a name that no file has. If there is one, or another process is saving one, the error is fs.ErrExist.
func (u *uploaded) save(f *safefile.File, table string, r receipt) error {
	if u.has(table) {
		return fs.ErrExist
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := u.WriteNew(receiptName(table), text, 0o600); err != nil {
		return err
	}
	if err := f.CommitAs(table); err != nil {
		return errors.Join(err, u.Remove(receiptName(table)))
	}
	return u.Write(receiptName(table), text, 0o600) // forget removes a receipt without its table
}

// forget removes the tables, and returns the names of those that were changed since, which stay.
func (u *uploaded) forget() (kept []string, err error) {
	all, err := os.ReadDir(u.Path("."))
	for _, e := range all {
		table := strings.TrimSuffix(strings.TrimPrefix(e.Name(), "."), ".json")
		r, fault := u.receipt(table)
		switch {
		case u.private && e.Type().IsRegular():
			err = errors.Join(err, u.Remove(e.Name()))
		case receiptName(table) != e.Name() || fault != nil: // a table, or a file of the user
		case u.has(table) && !u.unchanged(table, r):
			kept = append(kept, table)
		default:
			err = errors.Join(err, u.Remove(table), u.Remove(e.Name()))
		}
	}
	return kept, err
}

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
		return receipt{}, &data.Error{File: name,
			Message: fmt.Sprintf("more than %d MB: too large for the page; use the command, which reads tables of any size: tskgraph workbench "+
				"TABLE", limit/1e6)}
	case n == 0:
		return receipt{}, &data.Error{File: name, Message: "the file is empty"}
	default:
		return receipt{n, hex.EncodeToString(hash.Sum(nil))}, nil
	}
}
