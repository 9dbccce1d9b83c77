package buckets

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// kinds draw a value as the columns of tables hold them.
var kinds = []func(*rand.Rand) float64{
	func(*rand.Rand) float64 { return math.Copysign(0, -1) },
	func(r *rand.Rand) float64 { return float64(r.IntN(2)) },
	func(r *rand.Rand) float64 { return float64(r.IntN(3000)-1500) / 10 },
	func(r *rand.Rand) float64 { return float64(r.Int32()-1<<30) / 1e6 },
	func(r *rand.Rand) float64 { return float64(r.Int64()) },
	func(r *rand.Rand) float64 { return float64(float32(r.NormFloat64())) },
	func(r *rand.Rand) float64 { return r.NormFloat64() },
	func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()) },
	func(r *rand.Rand) float64 {
		return [...]float64{math.Inf(1), math.MaxInt32, math.MinInt32, 127, -128, 0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, 1e-15,
			math.NaN()}[r.IntN(10)]
	},
}

// table is rows, and the bucket of each.
type table struct {
	columns, buckets int
	rows             []float64
	bucket           []int
}

// draw returns a table of n rows whose columns are of all kinds, with missing values.
func draw(seed uint64, n, columns, buckets int) *table {
	r := rand.New(rand.NewPCG(seed, 0))
	t := &table{columns: columns, buckets: buckets, rows: make([]float64, n*columns), bucket: make([]int, n)}
	for k := range columns {
		kind, gaps := kinds[r.IntN(len(kinds))], r.IntN(2)*r.IntN(4)
		for i := range n {
			if t.rows[i*columns+k] = kind(r); r.IntN(10) < gaps {
				t.rows[i*columns+k] = math.NaN()
			}
		}
	}
	for i := range t.bucket {
		t.bucket[i] = r.IntN(buckets)
	}
	return t
}

// store adds the table to a new store.
func (t *table) store(tb testing.TB, memory int64, dir string) (*Store, error) {
	s, err := New(Options{Columns: t.columns, Buckets: t.buckets, Memory: memory, Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	for i, b := range t.bucket {
		if err := s.Add(b, t.rows[i*t.columns:(i+1)*t.columns]); err != nil {
			return s, err
		}
	}
	return s, s.Finish()
}

// of returns the rows of a bucket.
func (t *table) of(bucket int) (rows []float64) {
	for i, b := range t.bucket {
		if b == bucket {
			rows = append(rows, t.rows[i*t.columns:(i+1)*t.columns]...)
		}
	}
	return rows
}

// same reports whether values are equal to the last bit.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

// TestStore checks that all rows are read as they were added, in memory and from the
// scratch file, by several goroutines, and that nothing depends on the limit.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		tab := draw(rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(0, 3000).Draw(rt, "rows"), rapid.IntRange(1, 12).Draw(rt, "columns"),
			rapid.IntRange(1, 9).Draw(rt, "buckets"))
		inMemory := testenv.Must(tab.store(t, 1<<30, dir))
		onDisk := testenv.Must(tab.store(t, 1, dir))
		if inMemory.OnDisk() || inMemory.Sum() != onDisk.Sum() || inMemory.Bytes() != onDisk.Bytes() {
			rt.Fatalf("on disk: %v; %s and %s, %d and %d bytes", inMemory.OnDisk(), inMemory.Sum(), onDisk.Sum(), inMemory.Bytes(), onDisk.Bytes())
		}
		for _, s := range []*Store{inMemory, onDisk} {
			var all sync.WaitGroup
			for b := range tab.buckets {
				all.Go(func() {
					want := tab.of(b)
					got, err := s.Read(b, make([]float64, 5, 100))
					if err != nil || !same(got, want) || s.Rows(b) != len(want)/tab.columns {
						rt.Errorf("bucket %d: %v, %d rows: got %v, want %v", b, err, s.Rows(b), got, want)
					}
				})
			}
			all.Wait()
		}
	})
}

// large is a table whose rows fill several times what is gathered for the scratch file.
func large() *table { return draw(7, 60_000, 24, 16) }

// TestManyWrites checks the order of rows that reach the scratch file in several writes.
func TestManyWrites(t *testing.T) {
	testenv.SkipRace(t)
	tab := large()
	s := testenv.Must(tab.store(t, 6<<20, t.TempDir()))
	if places := s.file.places[3]; len(places) != 23 || places[0].at+int64(places[0].size) != places[1].at ||
		places[16].at+int64(places[16].size) == places[17].at {
		t.Errorf("%d places: %v", len(places), places)
	}
	var into []float64
	for b := range tab.buckets {
		if into = testenv.Must(s.Read(b, into)); !same(into, tab.of(b)) {
			t.Errorf("bucket %d", b)
		}
	}
}

// TestSum checks that the sum changes with any value, with the bucket and with the order.
func TestSum(t *testing.T) {
	sum := func(change func(*table)) string {
		tab := draw(1, 100, 3, 4)
		change(tab)
		s := testenv.Must(tab.store(t, 1<<30, ""))
		return s.Sum()
	}
	was := sum(func(*table) {})
	for name, change := range map[string]func(*table){
		"a bit":    func(t *table) { t.rows[200] = math.Float64frombits(math.Float64bits(t.rows[200]) ^ 1) },
		"a bucket": func(t *table) { t.bucket[50] = (t.bucket[50] + 1) % 4 },
		"order":    func(t *table) { t.bucket[0], t.bucket[1] = 2, 2; t.rows[0], t.rows[3] = 5, 6 },
		"reverse":  func(t *table) { t.bucket[0], t.bucket[1] = 2, 2; t.rows[0], t.rows[3] = 6, 5 },
		"one less": func(t *table) { t.bucket = t.bucket[:99] },
	} {
		if sum(change) == was {
			t.Errorf("%s: the same sum", name)
		}
	}
	if sum(func(*table) {}) != was {
		t.Error("the same rows have another sum")
	}
}

// TestLimit checks that the heap grows by what the store counts as held, and that this is
// within the limit at any time.
func TestLimit(t *testing.T) {
	testenv.SkipRace(t)
	row := make([]float64, 40)
	for _, limit := range []int64{16 << 20, 40 << 20} {
		before := heap()
		s := testenv.Must(New(Options{Columns: len(row), Buckets: 256, Memory: limit, Dir: t.TempDir()}))
		most := int64(0)
		for i := range 200_000 {
			row[i%40] = 1 / float64(i+3)
			testenv.OK(t, s.Add(i*7919%256, row))
			if held := s.held(); held > most {
				if most = held; most > limit {
					t.Fatalf("row %d: %d bytes held, more than %d", i, held, limit)
				}
			}
			if i%20_000 == 0 {
				if grown, held := heap()-before, s.held(); grown < held-held/50 || grown > held+held/50+1<<16 {
					t.Errorf("limit %d, row %d: the heap grew by %d bytes, %d are held", limit, i, grown, held)
				}
			}
		}
		if most < limit-limit/10 || !s.OnDisk() {
			t.Errorf("%d bytes held of %d allowed; on disk: %v", most, limit, s.OnDisk())
		}
		s.Close()
	}
}

// heap returns the bytes that are in use, without those of a sync.Pool, which last for two collections.
func heap() int64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// faulty is a scratch file in which an operation fails.
type faulty struct {
	storage
	room  int // bytes until writing fails with full
	full  error
	flip  int64 // byte to change when it is read; below 0: none
	fails error // of reading
}

func (f *faulty) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, &fs.PathError{Op: "write", Path: "name", Err: f.full}
	}
	return f.storage.Write(p)
}

func (f *faulty) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.storage.ReadAt(p, at)
	if i := f.flip - at; i >= 0 && i < int64(n) {
		p[i] ^= 4
	}
	return n, errors.Join(err, f.fails)
}

// faultless creates scratch files without faults.
var faultless = scratch

// withFaults makes the scratch files of a test faulty.
func withFaults(t *testing.T, f faulty) {
	t.Cleanup(func() { scratch = faultless })
	scratch = func(dir string) (storage, func(), error) {
		s, discard, err := faultless(dir)
		f.storage = s
		return &f, discard, err
	}
}

// TestFull checks the error about a full disk: it says what to do, and stays.
func TestFull(t *testing.T) {
	testenv.SkipRace(t)
	dir := t.TempDir()
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		for _, room := range []int{0, 1 << 20, 3 << 20} {
			withFaults(t, faulty{room: room, full: full, flip: -1})
			s, err := large().store(t, 6<<20, dir)
			if want := "scratch file in " + dir + ": " + full.Error() + ": make room, or name another directory with --scratch"; err == nil ||
				err.Error() != want {
				t.Fatalf("%d bytes of room: %v, want %s", room, err, want)
			}
			_, reading := s.Read(0, nil)
			if again := s.Add(0, make([]float64, 24)); again != err || reading != err || s.Finish() != err {
				t.Errorf("later: %v and %v", again, reading)
			}
		}
	}
}

// TestDamaged checks that any changed byte is found, and that buckets without it are read.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	tab := draw(3, 2000, 5, 4)
	for flip := int64(0); ; flip += 997 {
		withFaults(t, faulty{room: 1 << 30, flip: flip})
		s := testenv.Must(tab.store(t, 1, dir))
		damaged := 0
		for b := range tab.buckets {
			got, err := s.Read(b, nil)
			switch {
			case errors.Is(err, ErrDamaged):
				damaged++
				if !strings.HasPrefix(err.Error(), "scratch file in "+dir+": byte ") ||
					!strings.HasSuffix(err.Error(), ": the data read differ from the data written: name another directory with --scratch") {
					t.Error(err)
				}
			case err != nil || !same(got, tab.of(b)):
				t.Errorf("bucket %d: %v", b, err)
			}
		}
		if beyond := flip >= s.Bytes(); beyond != (damaged == 0) || damaged > 1 {
			t.Fatalf("byte %d of %d: %d damaged buckets", flip, s.Bytes(), damaged)
		} else if beyond {
			break
		}
	}
}

// TestUnreadable checks the error about a disk that fails, and about a directory.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	withFaults(t, faulty{room: 1 << 30, flip: -1, fails: syscall.EIO})
	s := testenv.Must(draw(3, 100, 5, 4).store(t, 1, dir))
	if _, err := s.Read(0, nil); !errors.Is(err, syscall.EIO) || !strings.HasSuffix(err.Error(), ": name another directory with --scratch") {
		t.Error(err)
	}
	if _, err := draw(3, 100, 5, 4).store(t, 1, dir+"/none"); !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "scratch file in "+dir+"/none: ") {
		t.Error(err)
	}
	for _, o := range []Options{{Buckets: 1}, {Columns: 1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if err := s.Add(0, make([]float64, 4)); err == nil {
		t.Error("a row of another length was added")
	}
}

// TestClose checks that Close ends adding and reading from another goroutine, and that no
// file is left.
func TestClose(t *testing.T) {
	dir := t.TempDir()
	s := testenv.Must(New(Options{Columns: 8, Buckets: 4, Memory: 4 << 20, Dir: dir}))
	time.AfterFunc(20*time.Millisecond, func() { s.Close() })
	row, i, err := make([]float64, 8), 0, error(nil)
	for ; err == nil; i++ {
		row[0] = 1 / float64(i)
		err = s.Add(i%4, row)
	}
	if _, reading := s.Read(0, nil); !errors.Is(err, fs.ErrClosed) || !errors.Is(reading, fs.ErrClosed) {
		t.Errorf("after %d rows: %v and %v", i, err, reading)
	}
	s.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// BenchmarkStore measures Add, which encodes, and Read, in bytes of float64, for columns
// of one kind and of all that tables have.
func BenchmarkStore(b *testing.B) {
	const columns, rows, many = 20, 1 << 18, 256
	for _, c := range []struct {
		name  string
		value func(r *rand.Rand, k int) float64
	}{
		{"flags", func(r *rand.Rand, _ int) float64 { return kinds[1](r) }},
		{"decimals", func(r *rand.Rand, _ int) float64 { return kinds[3](r) }},
		{"float32", func(r *rand.Rand, _ int) float64 { return kinds[5](r) }},
		{"float64", func(r *rand.Rand, _ int) float64 { return kinds[6](r) }},
		{"mixed", func(r *rand.Rand, k int) float64 { return kinds[1+k%6](r) }},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		t := &table{columns: columns, buckets: many, rows: make([]float64, rows*columns), bucket: make([]int, rows)}
		for i := range t.rows {
			t.rows[i] = c.value(r, i%columns)
		}
		for i := range t.bucket {
			t.bucket[i] = r.IntN(many)
		}
		for where, memory := range map[string]int64{"memory": 1 << 30, "disk": 1} {
			var s *Store
			b.Run("add/"+where+"/"+c.name, func(b *testing.B) {
				b.SetBytes(8 * rows * columns)
				for b.Loop() {
					s = testenv.Must(t.store(b, memory, b.TempDir()))
					s.Close()
				}
				b.ReportMetric(float64(s.Bytes())/(rows*columns), "B/value")
			})
			s = testenv.Must(t.store(b, memory, b.TempDir()))
			b.Run("read/"+where+"/"+c.name, func(b *testing.B) {
				b.SetBytes(8 * rows * columns)
				var into []float64
				for b.Loop() {
					for k := range many {
						into = testenv.Must(s.Read(k, into))
					}
				}
			})
		}
	}
}
