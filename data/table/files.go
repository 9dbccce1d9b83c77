package table

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

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

// namedFiles returns the files of a table, or the name itself where these cannot be found, for the error when it is read.
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

// stem returns the base name of a table without its extensions (.csv.gz); of several files what comes before the pattern, or the first
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
