package byhand

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// Format reads the rules of one file format.
type Format struct {
	Title      string   // such as "fis"
	Extensions []string // of its files, such as ".fis"

	// Read reads a rulebook. name is the path of the file, with which errors begin.
	Read func(r io.Reader, name string) (*Rulebook, error)
}

// Name returns the title.
func (f Format) Name() string { return f.Title }

var formats = registry.New[Format]("knowledge", "format")

// Register registers a format. Call it in the init function of a package; it panics if the title
// is registered already.
func Register(f Format) { formats.Register(f) }

// Extensions returns the extensions of all formats, sorted.
func Extensions() []string {
	var all []string
	for _, f := range formats.All() {
		all = append(all, f.Extensions...)
	}
	slices.Sort(all)
	return all
}

// IsFile reports whether a path has the extension of a format.
func IsFile(path string) bool {
	return slices.Contains(Extensions(), strings.ToLower(filepath.Ext(path)))
}

// maxSize is the largest size of a file of rules.
const maxSize = 16 << 20

// ReadFile reads a file of rules in the format of its extension.
func ReadFile(path string) (*Rulebook, error) {
	extension := strings.ToLower(filepath.Ext(path))
	for _, f := range formats.All() {
		if !slices.Contains(f.Extensions, extension) {
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Size() > maxSize {
			return nil, fmt.Errorf("%s: %d bytes: a file of rules has at most %d", escape.Text(path), info.Size(), maxSize)
		}
		return f.Read(file, path)
	}
	return nil, fmt.Errorf("%s: not a file of rules: its name must end in %s", escape.Text(path), strings.Join(Extensions(), " or "))
}

// Error is a fault in a file of rules.
type Error struct {
	File         string
	Line, Column int // from 1; 0: unknown
	Message      string
}

// Error returns the place, as file:line:column, and the message.
func (e *Error) Error() string {
	place := escape.Text(e.File)
	for _, n := range []int{e.Line, e.Column} {
		if n == 0 {
			break
		}
		place += fmt.Sprintf(":%d", n)
	}
	return place + ": " + e.Message
}

// Errorf returns an [Error] with a formatted message.
func Errorf(file string, line, column int, format string, a ...any) error {
	return &Error{file, line, column, fmt.Sprintf(format, a...)}
}
