package testenv

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// T is what reports errors, such as a *testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Equal reports an error unless got is want: a slice without elements equals nil, and the numbers of a matrix are
// compared bit for bit. What they are is said by a format and its arguments.
func Equal[V any](t T, got, want V, what ...any) {
	t.Helper()
	if !equal(got, want) {
		t.Errorf("%s%+v, want\n%+v", said(what), got, want)
	}
}

func equal(got, want any) bool {
	a, matrix := got.([][]float64)
	if b, both := want.([][]float64); matrix && both {
		bits := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
		return slices.EqualFunc(a, b, func(x, y []float64) bool { return slices.EqualFunc(x, y, bits) })
	}
	if v, w := reflect.ValueOf(got), reflect.ValueOf(want); v.Kind() == reflect.Slice && w.Kind() == reflect.Slice && v.Len()+w.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(got, want)
}

// said is a format and its arguments as text before a value.
func said(what []any) string {
	if len(what) == 0 {
		return ""
	}
	return fmt.Sprintf(what[0].(string), what[1:]...) + ": "
}

// Fails reports an error unless err has this text; FailsWith, unless its text has this part.
func Fails(t T, err error, want string, what ...any) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("%serror %v, want\n%s", said(what), err, want)
	}
}

func FailsWith(t T, err error, part string, what ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%serror %v, want\n%s", said(what), err, part)
	}
}

// OK ends the test if there is an error.
func OK(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Must returns v; a test that makes it fail ends in a panic.
func Must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// FailsAs is FailsWith of an error that is an E, such as a *table.Error.
func FailsAs[E error](t T, err error, part string, what ...any) {
	t.Helper()
	if !errors.As(err, new(E)) {
		t.Errorf("%serror %v is a %T, want %s", said(what), err, err, part)
		return
	}
	FailsWith(t, err, part, what...)
}

// FailsIs is FailsWith of an error that wraps a sentinel.
func FailsIs(t T, err, sentinel error, part string, what ...any) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("%serror %v, want one that wraps %q", said(what), err, sentinel)
		return
	}
	FailsWith(t, err, part, what...)
}

// Err returns the error of a call, its last result.
func Err(results ...any) error {
	err, _ := results[len(results)-1].(error)
	return err
}
