// Package registry keeps the implementations of an interface by name.
package registry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Registry holds values of one kind by name. Init functions fill it; afterwards it is
// read-only.
type Registry[T interface{ Name() string }] struct {
	pkg, kind string
	values    map[string]T
}

// registered counts the values of all registries.
var registered atomic.Int64

// Cached returns a function with the result of compute, which depends on registries. It computes
// the result when it is asked for, and again once a value was registered since: the package of an
// extension may be initialised after the one that asks.
func Cached[T any](compute func() T) func() T {
	var (
		mu     sync.Mutex
		result T
		of     = int64(-1)
	)
	return func() T {
		mu.Lock()
		defer mu.Unlock()
		if now := registered.Load(); now != of {
			result, of = compute(), now
		}
		return result
	}
}

// New returns an empty registry. Its errors begin with the name of the package pkg and
// name the kind of the values, such as "shape".
func New[T interface{ Name() string }](pkg, kind string) *Registry[T] {
	return &Registry[T]{pkg, kind, map[string]T{}}
}

// Register adds a value. It panics if the name is empty or registered already.
func (r *Registry[T]) Register(v T) {
	if v.Name() == "" {
		panic(fmt.Sprintf("%s: a %s without a name: %T", r.pkg, r.kind, v))
	}
	if _, taken := r.values[v.Name()]; taken {
		panic(fmt.Sprintf("%s: two %ss are named %s", r.pkg, r.kind, v.Name()))
	}
	r.values[v.Name()] = v
	registered.Add(1)
}

// Lookup returns the value registered under name. If there is none, the error lists the
// registered names and suggests the closest one.
func (r *Registry[T]) Lookup(name string) (T, error) {
	v, ok := r.values[name]
	if ok {
		return v, nil
	}
	hint := ""
	if closest := Closest(name, r.Names()); closest != "" {
		hint = "; did you mean " + closest + "?"
	}
	return v, fmt.Errorf("%s: unknown %s %q: choose one of %s%s", r.pkg, r.kind, name, strings.Join(r.Names(), ", "), hint)
}

// Same returns an error unless v deeply equals the value that is registered under its name, so
// that the name stands for v, as in a file.
func (r *Registry[T]) Same(v T) error {
	if any(v) == nil {
		return fmt.Errorf("%s: the %s is nil", r.pkg, r.kind)
	}
	switch known, ok := r.values[v.Name()]; {
	case !ok:
		return fmt.Errorf("%s: %s %q is not registered, so that no file can name it: register it in an init function", r.pkg, r.kind, v.Name())
	case !reflect.DeepEqual(known, v):
		return fmt.Errorf("%s: %s %q is %#v, but %#v is registered under this name, which is what a file would restore: use that one, or "+
			"register this one under a name of its own",
			r.pkg, r.kind, v.Name(), v, known)
	}
	return nil
}

// Names returns the registered names, sorted.
func (r *Registry[T]) Names() []string { return slices.Sorted(maps.Keys(r.values)) }

// All returns the registered values, sorted by name.
func (r *Registry[T]) All() []T {
	var all []T
	for _, name := range r.Names() {
		all = append(all, r.values[name])
	}
	return all
}

// Closest returns the known name closest to an unknown one, ignoring case, or "" if none
// is within three edits.
func Closest(name string, known []string) string {
	const (
		tooLong = 100 // longer names are not compared
		near    = 3   // most edits of a typing error
	)
	if len(name) > tooLong {
		return ""
	}
	best, found := min(near, len(name)/2)+1, ""
	for _, k := range known {
		if len(k) > tooLong || max(len(k)-len(name), len(name)-len(k)) >= best {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < best {
			best, found = d, k
		}
	}
	return found
}

// Hint returns `; did you mean "x"?` for the known name that is closest to an unknown one, or nothing where none is close.
func Hint(name string, known []string) string {
	if closest := Closest(name, known); closest != "" {
		return "; did you mean " + escape.Quote(closest) + "?"
	}
	return ""
}

// distance is the number of bytes to insert, delete or replace that turns a into b
// (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
