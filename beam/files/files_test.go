package files_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/filestest"
)

var stores *filestest.Stores

func TestMain(m *testing.M) {
	if path := os.Getenv("WRITE_SLOWLY"); path != "" {
		writeSlowly(path)
	}
	var err error
	if stores, err = filestest.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	stores.Close()
	os.Exit(code)
}

// everywhere runs a test on this machine and in each object store, with a directory of its own.
func everywhere(t *testing.T, test func(t *testing.T, dir string)) {
	t.Run("local", func(t *testing.T) { test(t, t.TempDir()) })
	for _, scheme := range filestest.Schemes {
		t.Run(scheme, func(t *testing.T) { test(t, scheme+"://"+filestest.Bucket+"/"+strings.ToLower(t.Name())) })
	}
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	err := files.Write(t.Context(), path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string, offset, length int64) []byte {
	t.Helper()
	r, err := files.OpenRange(t.Context(), path, offset, length)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// random returns n bytes, the same at each call.
func random(n int) []byte {
	content := make([]byte, n)
	if _, err := rand.NewChaCha8([32]byte{}).Read(content); err != nil {
		panic(err)
	}
	return content
}

// TestRanges: any range has the bytes of the file, to its end; object stores send no others.
func TestRanges(t *testing.T) {
	everywhere(t, func(t *testing.T, dir string) {
		path := files.Join(dir, "a", "b%20 #?.csv")
		content := random(100_000)
		put(t, path, content)
		if n, err := files.Size(t.Context(), path); n != int64(len(content)) || err != nil {
			t.Fatalf("%d bytes, %v", n, err)
		}
		for _, at := range [][2]int{{0, -1}, {0, 100_000}, {0, 1}, {0, 0}, {99_999, 1}, {99_990, 100}, {100_000, 10}, {100_000, -1},
			{200_000, 5}, {300, 4000}, {50_000, -1}} {
			want := content[min(at[0], len(content)):]
			if at[1] >= 0 {
				want = want[:min(at[1], len(want))]
			}
			before := stores.Sent.Load()
			if got := get(t, path, int64(at[0]), int64(at[1])); !bytes.Equal(got, want) {
				t.Errorf("%v: %d bytes, want %d", at, len(got), len(want))
			}
			if sent := stores.Sent.Load() - before; sent > int64(len(want))+1000 {
				t.Errorf("%v: %d bytes were sent", at, sent)
			}
		}
	})
}

// TestBrokenConnection: a connection that breaks twice does not change what is read, and a busy store is asked again.
func TestBrokenConnection(t *testing.T) {
	for _, scheme := range filestest.Schemes {
		path := scheme + "://" + filestest.Bucket + "/broken"
		content := random(300_000)
		stores.Fail.Store(1)
		put(t, path, content)
		stores.Fail.Store(1)
		stores.Break.Store(20_000)
		r, err := files.OpenRange(t.Context(), path, 100, 250_000)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 25_000)
		if _, err := io.ReadFull(r, got); err != nil {
			t.Fatalf("%s: %v", scheme, err)
		}
		stores.Break.Store(1)
		rest, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil || !bytes.Equal(append(got, rest...), content[100:250_100]) {
			t.Errorf("%s: %d bytes, %v", scheme, len(got)+len(rest), err)
		}
		if left := stores.Fail.Load(); left != 0 {
			t.Errorf("%s: no fault happened", scheme)
		}
	}
}

// TestFailedWrite: an attempt that fails, or whose job ends, leaves the old file and nothing else, also of several parts.
func TestFailedWrite(t *testing.T) {
	failure := errors.New("a bad cell")
	everywhere(t, func(t *testing.T, dir string) {
		path := files.Join(dir, "out.csv")
		put(t, files.Join(dir, "other"), []byte("x"))
		for _, old := range []string{"", "old"} {
			if old != "" {
				put(t, path, []byte(old))
			}
			for _, size := range []int{0, 100, 20 << 20} {
				if err := files.Write(t.Context(), path, func(w io.Writer) error {
					_, err := w.Write(make([]byte, size))
					return errors.Join(err, failure)
				}); !errors.Is(err, failure) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%d bytes: %v", size, err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				if err := files.Write(ctx, path, func(w io.Writer) error {
					_, err := w.Write(make([]byte, size))
					cancel()
					return err
				}); !errors.Is(err, context.Canceled) {
					t.Errorf("%d bytes, canceled: %v", size, err)
				}
			}
			want := []string{"other"}
			if old != "" {
				want = []string{"other", "out.csv"}
				if got := get(t, path, 0, -1); string(got) != old {
					t.Errorf("%d bytes instead of the old ones", len(got))
				}
			}
			holds(t, dir, want...)
		}
	})
}

// TestWriteAtOnce: of many attempts at a time one stays, whole.
func TestWriteAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, dir string) {
		path := files.Join(dir, "out.csv")
		ended := make(chan error)
		for i := range 8 {
			go func() {
				ended <- files.Write(t.Context(), path, func(w io.Writer) error {
					for range 100 {
						if _, err := w.Write(bytes.Repeat([]byte{byte(i)}, 1000)); err != nil {
							return err
						}
					}
					return nil
				})
			}()
		}
		for range 8 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		got := get(t, path, 0, -1)
		if len(got) != 100_000 || !bytes.Equal(got, bytes.Repeat(got[:1], 100_000)) {
			t.Errorf("%d bytes of several attempts", len(got))
		}
		holds(t, dir, "out.csv")
	})
}

// holds checks the names of all files in a directory, those with a leading dot included.
func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*", ".*"} {
		found, err := files.List(t.Context(), files.Join(dir, pattern))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for _, f := range found {
			names = append(names, filepath.Base(f.Path))
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); !slices.Equal(names, want) {
		t.Errorf("%s has %q, want %q", dir, names, want)
	}
}

// TestList: patterns find files of their own directory only, with their sizes, in order.
func TestList(t *testing.T) {
	everywhere(t, func(t *testing.T, dir string) {
		for _, name := range []string{"part-2.csv", "part-10.csv", "part-1.csv", "part-[1].csv", "sub/part-1.csv", "other.csv"} {
			put(t, files.Join(dir, name), []byte(name))
		}
		for pattern, want := range map[string][]string{
			"part-*.csv":   {"part-1.csv", "part-10.csv", "part-2.csv", "part-[1].csv"},
			"part-?.csv":   {"part-1.csv", "part-2.csv"},
			"part-[1].csv": {"part-[1].csv"}, // a name
			"part-[12]*":   {"part-1.csv", "part-10.csv", "part-2.csv"},
			"*/part-1.csv": {"sub/part-1.csv"},
			"other.csv":    {"other.csv"},
			"none*":        nil,
			"none.csv":     nil,
			"su*":          nil,
		} {
			found, err := files.List(t.Context(), files.Join(dir, pattern))
			if missing := errors.Is(err, fs.ErrNotExist); missing != (want == nil) || err != nil && !missing {
				t.Errorf("%s: %v", pattern, err)
			}
			var names []string
			for _, f := range found {
				name := strings.TrimPrefix(filepath.ToSlash(f.Path), filepath.ToSlash(dir)+"/")
				if names = append(names, name); f.Size != int64(len(name)) {
					t.Errorf("%s has %d bytes", name, f.Size)
				}
			}
			if !slices.Equal(names, want) {
				t.Errorf("%s: %q, want %q", pattern, names, want)
			}
		}
	})
}

// TestErrors: errors name the path and say what is wrong.
func TestErrors(t *testing.T) {
	everywhere(t, func(t *testing.T, dir string) {
		path := files.Join(dir, "missing.csv")
		_, err := files.Open(t.Context(), path)
		_, sized := files.Size(t.Context(), path)
		for _, err := range []error{err, sized} {
			if !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), path) != 1 || len(err.Error()) > len(path)+60 {
				t.Errorf("missing: %v", err)
			}
		}
	})
	for path, want := range map[string]string{
		"hdfs://a/b":         "hdfs://a/b: unknown scheme hdfs://: use gs://, s3:// or a path of this machine",
		"gs://bucket":        "gs://bucket: want gs://BUCKET/NAME",
		"s3:///x":            "s3:///x: want s3://BUCKET/NAME",
		"gs://no-bucket/a*b": "gs://no-bucket/a*b: the bucket does not exist: file does not exist",
		"s3://no-bucket/a*b": "s3://no-bucket/a*b: the bucket does not exist: file does not exist",
	} {
		if _, err := files.List(t.Context(), path); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}
