package score

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/shard"
)

// naming says which output a file has.
type naming struct {
	Common string // the directory that all files share
	To     string // a directory, in which an output has the name of its file below Common; or a pattern such as out/*.parquet
}

// newNaming returns the naming of files. The error is about two files of one output.
func newNaming(in []files.Info, to string) (naming, error) {
	common := path.Dir(slashed(in[0].Path))
	for _, f := range in {
		for common != path.Dir(common) && common != "." && !strings.HasPrefix(slashed(f.Path), common+"/") {
			common = path.Dir(common)
		}
	}
	n := naming{common, to}
	of := map[string]string{}
	for _, f := range in {
		name := n.of(f.Path)
		if other, twice := of[name]; twice {
			return n, fmt.Errorf("%s and %s would both be written to %s: score them by two jobs, or rename one", other, f.Path, name)
		}
		of[name] = f.Path
	}
	return n, nil
}

// of returns the output of a file; [pieceOf] those of its shards.
func (n naming) of(file string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(slashed(file), n.Common), "/")
	if strings.Contains(n.To, "*") {
		return strings.Replace(n.To, "*", stem(name), 1)
	}
	return files.Join(n.To, name)
}

// report returns the path of the report.
func (n naming) report() string {
	dir := n.To
	if before, _, ok := strings.Cut(n.To, "*"); ok {
		dir = before[:strings.LastIndexAny(before, "/")+1]
	}
	return files.Join(dir, "score.json")
}

// slashed is a path with slashes, also on Windows.
func slashed(p string) string {
	if !files.IsLocal(p) {
		return p
	}
	return filepath.ToSlash(filepath.Clean(p))
}

// extensions returns the extensions of a table, such as .csv.gz.
func extensions(name string) string {
	last := path.Ext(name)
	if e := strings.ToLower(last); e == ".gz" || e == ".zst" {
		last = path.Ext(strings.TrimSuffix(name, last)) + last
	}
	if last == path.Base(name) {
		return ""
	}
	return last
}

// stem is the name of a table without its extensions.
func stem(name string) string { return strings.TrimSuffix(name, extensions(name)) }

// pieceOf returns the name of the output of a shard, by that of its file.
func pieceOf(name string, s shard.Shard) string {
	if s.Whole() {
		return name
	}
	return fmt.Sprintf("%s-%05d-of-%05d%s", stem(name), s.Index+1, s.Of, extensions(name))
}

// sameFile reports whether two paths lead to the same file.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	if !files.IsLocal(a) || !files.IsLocal(b) {
		return false
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
