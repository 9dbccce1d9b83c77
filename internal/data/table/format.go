package table

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/data/series"
)

// Format is a kind of table. A package registers its format when it is imported, as packages of image formats do:
//
//	import _ "github.com/tskgraph/tskgraph/data/table/csv"
type Format struct {
	Name string // such as "csv"

	// A table belongs to the first format, by name, of which Schemes has the beginning of its name ("postgres:", in lower case), Magic
	// the beginning of its content, or Extensions the end of its name (".jsonl"; the extensions .gz and .zst do not count), in this order
	// of precedence. A format without any of them reads every table that no other claims.
	Schemes, Magic, Extensions []string

	// Open, nil if the format is only written, reads the header of a table, whose name stands for it in errors. r is its content; for a
	// regular file, and an Input.Reader that has a method Size, it is an io.ReaderAt and io.Seeker too. Closing the source does not
	// close r. The delimiter is 0 unless the user set one.
	Open func(name string, r io.Reader, delimiter byte) (RowSource, error)

	// Create begins to write a table; nil if the format is only read. Extensions say which files are written in it.
	Create func(w io.Writer, columns []Field) (RowSink, error)

	// Query sends a query to the database that one of Schemes names, and returns its rows, which end with the context: the error
	// of Next is then that of the context. Faults of the database are an *Error, whose text contains no password.
	Query func(ctx context.Context, name, query string) (RowSource, error)

	// Check refuses the name of a database without connecting. The error does not contain the name, which may contain a password.
	// Nil accepts every name.
	Check func(name string) error
}

var Formats = registry.New[Registered]("data", "format")

type Registered struct{ Format }

func (r Registered) Name() string { return r.Format.Name }

// Register makes a format known. It panics if one of this name is registered, and must only be called by init functions.
func Register(f Format) { Formats.Register(Registered{f}) }

// Delimiter returns the delimiter that a value of the option Delimiter names; 0 for auto.
func Delimiter(option string) byte { return Delimiters[option] }

// Delimiters are the values of the option Delimiter; 0 leaves the choice to the format.
var Delimiters = map[string]byte{
	"": 0, "auto": 0,
	"comma": ',', ",": ',',
	"semicolon": ';', ";": ';',
	"tab": '\t', "\t": '\t', `\t`: '\t',
}

// Input names a table: files (see [Files]), - for standard input, Reader, or the rows of a query to a database.
type Input struct {
	Name   string
	Reader io.Reader // nil: Name is opened; else Name stands for it in errors

	// LinesBefore is for a Reader of a part of a table: of the table's header and, without what lies between, rows from further
	// down. It is added to the lines of the rows (of a format without lines, their numbers), so that faults name those of the table.
	LinesBefore int

	Query   string          // one SELECT, of a database
	Context context.Context // ends a query; nil: nothing does

	Run bool // Options.Run

	Samples *series.Spec // how the rows become samples; nil: they are
	Learn   bool         // only samples that have a target
}

// OpenFile opens one file, or the Reader.
func (in Input) OpenFile(delimiter byte) (RowSource, io.Closer, error) {
	r, file, err := in.content()
	if err != nil {
		return nil, nil, err
	}
	r, head, err := peek(r)
	if err != nil {
		return nil, nil, errors.Join(fileFault(in.Name, err), file.Close())
	}
	f, err := in.format(head)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	src, err := f.Open(inWords(in.Name), r, delimiter)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return src, file, nil
}

// content returns the bytes of the table.
func (in Input) content() (io.Reader, io.Closer, error) {
	if in.Reader != nil {
		return in.Reader, NoFile{}, nil
	}
	f, err := OpenFile(in.Name, in.Run)
	return f, f, err
}

// NoFile is closed where nothing was opened.
type NoFile struct{}

func (NoFile) Close() error { return nil }

// format returns the format of a table that begins with head.
func (in Input) format(head string) (*Format, error) {
	extension := filepath.Ext(withoutCompression(in.Name))
	for _, claims := range []func(Format) bool{
		func(f Format) bool { return hasPrefix(head, f.Magic) },
		func(f Format) bool { return f.Open != nil && slices.Contains(f.Extensions, strings.ToLower(extension)) },
		func(f Format) bool { return len(f.Schemes)+len(f.Magic)+len(f.Extensions) == 0 },
	} {
		if f := find(claims); f != nil {
			return f, nil
		}
	}
	return nil, Faultf(in.Name,
		`no registered format reads it: import _ "github.com/tskgraph/tskgraph/data/table/csv", or the package of its format`)
}

// FormatOf returns the name of the format of a file by its name and its first bytes, 8 or all there are; empty if no registered
// format reads it.
func FormatOf(name string, head []byte) string {
	f, err := Input{Name: name}.format(string(head))
	if err != nil {
		return ""
	}
	return f.Name
}

// Writable returns the format that writes a file of this name by its extension; nil for delimited text.
func Writable(name string) *Format {
	extension := strings.ToLower(filepath.Ext(name))
	return find(func(f Format) bool { return f.Create != nil && slices.Contains(f.Extensions, extension) })
}

// find returns the first format, by name, of which claims is true; nil if there is none.
func find(claims func(Format) bool) *Format {
	for _, f := range Formats.All() {
		if claims(f.Format) {
			return &f.Format
		}
	}
	return nil
}

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

// withoutCompression is the name of a table without .gz or .zst.
func withoutCompression(name string) string {
	if ext := filepath.Ext(name); ext == ".gz" || ext == ".zst" {
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// peek returns the first bytes of a table, as many as formats look at, and a reader that begins with them.
func peek(r io.Reader) (io.Reader, string, error) {
	longest := 0
	for _, f := range Formats.All() {
		for _, magic := range f.Magic {
			longest = max(longest, len(magic))
		}
	}
	if longest == 0 {
		return r, "", nil
	}
	if file, ok := r.(io.ReaderAt); ok && random(r) {
		head := make([]byte, longest)
		n, err := file.ReadAt(head, 0)
		if err == io.EOF {
			err = nil
		}
		return r, string(head[:n]), err
	}
	b := bufio.NewReader(r)
	head, _ := b.Peek(longest) // a table may be shorter; an error comes back at the next read
	return b, string(head), nil
}

// random reports whether a reader stands at the start of a content that is read at any offset: it is a regular file, or says its size as
// [io.SectionReader] does.
func random(r io.Reader) bool {
	if _, regular := r.(*watched); regular {
		return true
	}
	s, ok := r.(interface {
		io.Seeker
		Size() int64
	})
	if !ok {
		return false
	}
	at, err := s.Seek(0, io.SeekCurrent)
	return at == 0 && err == nil
}

// Scheme returns the format of a database; nil for a file or a Reader.
func (in Input) Scheme() *Format {
	if in.Reader != nil {
		return nil
	}
	name := strings.ToLower(in.Name[:min(len(in.Name), maxScheme)])
	return find(func(f Format) bool { return hasPrefix(name, f.Schemes) })
}

// maxScheme is the length of the longest scheme.
const maxScheme = 32

// connection matches the password of a connection string, in key=value form or in a URL.
var connection = regexp.MustCompile(`(?i)\b(password|pwd)\s*=`)

// Check refuses a database without a query, a query without a database, and names with a password. No error contains
// such a name.
func (in Input) Check() error {
	f := in.Scheme()
	if f == nil && in.Reader == nil && connection.MatchString(in.Name) {
		return KeyFault("data.path",
			"looks like a connection string with a password: want postgres://USER@HOST:PORT/DATABASE, and the password in PGPASSWORD, "+
				"~/.pgpass or a service file")
	}
	if scheme, _, is := strings.Cut(in.Name, "://"); f == nil && is && in.Reader == nil {
		if strings.ContainsAny(scheme, ":@= ") {
			scheme = "..."
		}
		return KeyFault("data.path", "no registered format reads tables at %s: correct it, or import the package of its format",
			escape.Quote(scheme+"://"))
	}
	if f == nil && in.Query != "" {
		return KeyFault("data.query",
			"applies to a database only: set data.path to one, such as postgres://HOST/DATABASE or sqlite:FILE").RestingOn("data.path")
	}
	if f == nil {
		return nil
	}
	if f.Check != nil {
		if err := f.Check(in.Name); err != nil {
			return KeyFault("data.path", "%v", err)
		}
	}
	if strings.TrimSpace(in.Query) == "" {
		return KeyFault("data.query",
			"a database needs a query: one SELECT of the columns and rows to read (--query of init, predict and evaluate)").RestingOn("data.path")
	}
	return nil
}

// context ends a query.
func (in Input) context() context.Context {
	if in.Context == nil {
		return context.Background()
	}
	return in.Context
}

var orderBy = regexp.MustCompile(`(?i)\border\s+by\b`)

// checkOrder refuses a query whose rows may come in another order each time, on which the split depends.
func checkOrder(query string) error {
	if query == "" || orderBy.MatchString(query) {
		return nil
	}
	return KeyFault("data.query",
		"without ORDER BY the rows may come in another order each time, and the split depends on their order: end the query with ORDER BY "+
			"and columns that no two rows share")
}

// DatabaseName is a short name for a database: the last part of its name, without scheme, options and extension.
func DatabaseName(f *Format, name string) string {
	_, name, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, "?")
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name = strings.TrimSuffix(name, path.Ext(name)); name == "" || name == "/" {
		return f.Name
	}
	return name
}
