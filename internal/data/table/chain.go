package table

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// open opens the table. Closing the closer, which is not nil, closes the file.
func (in Input) open(delimiter byte) (RowSource, io.Closer, error) {
	if err := in.Check(); err != nil {
		return nil, nil, err
	}
	if f := in.Scheme(); f != nil {
		src, err := f.Query(in.context(), in.Name, in.Query)
		return src, NoFile{}, err
	}
	if in.Reader == nil && !in.Run && several(in.Name) {
		files, err := Files(in.Name)
		if err != nil {
			return nil, nil, err
		}
		src := &Chain{files: files, delimiter: delimiter}
		return src, NoFile{}, src.open()
	}
	src, file, err := in.OpenFile(delimiter)
	if err != nil || in.LinesBefore == 0 {
		return src, file, err
	}
	part, err := in.NewPart(src, file, src.Header())
	return part, NoFile{}, err
}

// Chain is a table of several files, which are read one after the other. Their columns are those of the first, in any order.
type Chain struct {
	files     []string
	delimiter byte // that was given
	header    Header

	next int   // file after the current one
	now  *link // the current one; nil: none is open
	file io.Closer
}

// link is an open file of a chain.
type link struct {
	name   string
	src    RowSource
	places []int // [K], where it has the columns of the table
	same   bool  // its records are those of the table: of the same columns and delimiter
	before int   // added to its lines: the rows of a part come from further down in the table
}

// linked is Block.Raw of a block of a chain.
type linked struct {
	*link
	own Block // as the source of the file left it
}

// OpenPart opens a part of a table, whose columns are those of a header.
func (in Input) OpenPart(delimiter byte, content Header) (*Chain, error) {
	src, file, err := in.OpenFile(delimiter)
	if err != nil {
		return nil, err
	}
	return in.NewPart(src, file, content)
}

// NewPart is OpenPart of a source of rows.
func (in Input) NewPart(src RowSource, file io.Closer, content Header) (*Chain, error) {
	c := &Chain{header: content, file: file, now: &link{name: inWords(in.Name), src: src, before: in.LinesBefore}}
	if err := c.now.match(content); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// open opens the next file and finds the columns of the table in it.
func (c *Chain) open() error {
	name := c.files[c.next]
	src, file, err := Input{Name: name}.OpenFile(c.delimiter)
	if err != nil {
		return err
	}
	if c.next++; c.next == 1 {
		c.header = src.Header()
		c.header.File = name
	}
	c.now, c.file = &link{name: name, src: src}, file
	if err := c.now.match(c.header); err != nil {
		return errors.Join(err, c.Close())
	}
	return nil
}

// match finds the columns of a table in the file.
func (l *link) match(content Header) error {
	h := l.src.Header()
	fault := func(format string, args ...any) error {
		f := Faultf(l.name, format, args...)
		if h.Places != nil {
			f.Line = 1
		}
		return f
	}
	l.same = h.Delimiter == content.Delimiter && slices.Equal(h.Names, content.Names)
	at := map[string][]int{} // several of one name have none
	for i, name := range h.Names {
		at[name] = append(at[name], i)
	}
	for _, name := range content.Names {
		if len(at[name]) == 0 {
			return fault("the table has no column %s, which %s has%s (its columns: %s)", escape.Quote(name), content.File,
				registry.Hint(name, h.Names), escape.List(h.Names))
		}
		l.places = append(l.places, at[name][0])
		at[name] = at[name][1:]
	}
	for _, name := range h.Names {
		if len(at[name]) > 0 {
			return fault("column %s is not in %s: all files of a table have the same columns, in any order", escape.Quote(name), content.File)
		}
	}
	return nil
}

// Header, Next and Close make a chain a RowSource.
func (c *Chain) Header() Header { return c.header }

// Next reads the next block of the current file, or of the first after it that has one.
func (c *Chain) Next(b *Block) error {
	for {
		if c.now == nil {
			if c.next == len(c.files) {
				return io.EOF
			}
			if err := c.open(); err != nil {
				return err
			}
		}
		l, ok := b.Raw.(*linked)
		if !ok || l.link != c.now { // a source reuses blocks of its own only
			l = &linked{link: c.now}
		}
		l.own.Rows = 0
		err := c.now.src.Next(&l.own)
		if err == io.EOF {
			if err := c.Close(); err != nil {
				return err
			}
			continue
		}
		if _, later := c.now.src.(Decoder); later && err == nil {
			b.Raw = l
		} else {
			l.arrange(b)
		}
		return c.now.fault(err)
	}
}

// Decode decodes a block of any file.
func (c *Chain) Decode(b *Block) error {
	l := b.Raw.(*linked)
	d, ok := l.src.(Decoder)
	if !ok {
		return nil
	}
	err := d.Decode(&l.own)
	l.arrange(b)
	return l.fault(err)
}

// arrange makes b the block of the file, with the columns as the table has them.
func (l *linked) arrange(b *Block) {
	for i := range l.own.Lines {
		l.own.Lines[i] += l.before
	}
	*b = l.own
	b.Raw, b.File = l, l.name
	if l.same || len(b.Columns) != len(l.places) {
		return
	}
	b.Records, b.Columns = nil, make([]Values, len(l.places))
	for i, at := range l.places {
		b.Columns[i] = l.own.Columns[at]
	}
}

// Locate asks the source of the file.
func (c *Chain) Locate(b *Block, row, column int) Place {
	l := b.Raw.(*linked)
	if locator, ok := l.src.(Locator); ok {
		return locator.Locate(&l.own, row, l.places[column])
	}
	return Place{Line: b.Lines[row]}
}

// fault corrects the line of a fault in the file.
func (l *link) fault(err error) error {
	var fault *Error
	if l.before == 0 || !errors.As(err, &fault) || fault.Line == 0 {
		return err
	}
	moved := *fault
	moved.Line += l.before
	return &moved
}

// Close closes the current file.
func (c *Chain) Close() error {
	if c.now == nil {
		return nil
	}
	err := errors.Join(c.now.src.Close(), c.file.Close())
	c.now = nil
	return err
}

// Files returns the files of a table by its name: the file itself, those that match a pattern of [filepath.Match] (part-*.csv) in
// the order of their names, or those of a list in braces ({a.csv,b.csv}), which may be patterns, in its order. A name that exists is a
// file, whatever its characters. A pattern that no file matches and a file named twice are an *Error.
func Files(name string) ([]string, error) {
	if !several(name) {
		return []string{name}, nil
	}
	var files []string
	for _, one := range Names(name) {
		matches := []string{one}
		if !exists(one) && strings.ContainsAny(one, "*?[") {
			var err error
			if matches, err = filepath.Glob(one); err != nil {
				return nil, Faultf(one, "the pattern of file names is not valid: correct it")
			}
			if len(matches) == 0 {
				return nil, Faultf(one, "no file matches this pattern: correct it")
			}
			slices.Sort(matches)
		}
		for _, file := range matches {
			if file == StandardInput || (Input{Name: file}).Scheme() != nil {
				return nil, Faultf(name, "a list of tables has files only: remove %s", escape.Quote(file))
			}
			if slices.Contains(files, file) {
				return nil, Faultf(name, "the file %s is named twice: remove one", escape.Quote(file))
			}
			files = append(files, file)
		}
	}
	return files, nil
}

// NamedFiles returns the files of a table, or the name itself where these cannot be found, for the error when it is read.
func NamedFiles(name string) []string {
	if files, err := Files(name); err == nil {
		return files
	}
	return []string{name}
}

// Names returns the names of a list in braces, or the name itself. [List] joins them.
func Names(name string) []string {
	if inner, ok := strings.CutPrefix(name, "{"); ok && strings.HasSuffix(inner, "}") && !exists(name) {
		return strings.Split(strings.TrimSuffix(inner, "}"), ",")
	}
	return []string{name}
}

// List returns the name of the table of several files; no name may have a comma, and none of several be empty.
func List(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "{" + strings.Join(names, ",") + "}"
}

// several reports whether a name stands for the files of a list or a pattern.
func several(name string) bool {
	return !exists(name) && (Input{Name: name}).Scheme() == nil && (strings.ContainsAny(name, "*?[") || len(Names(name)) > 1)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// Stem returns the base name of a table without its extensions (.csv.gz); of several files what comes before the pattern, or the first
// of the list.
func Stem(name string) string {
	if name == StandardInput {
		return "stdin"
	}
	if several(name) {
		name = Names(name)[0]
		base := filepath.Base(name)
		if at := strings.IndexAny(base, "*?["); at > 0 {
			return strings.TrimRight(base[:at], "-_. ")
		} else if at == 0 {
			return filepath.Base(filepath.Dir(name))
		}
	}
	base := withoutCompression(filepath.Base(name))
	if stem := strings.TrimSuffix(base, filepath.Ext(base)); stem != "" {
		return stem
	}
	return base
}

// CheckRegular refuses a file that cannot be read twice: WriteParts reads the table again.
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
