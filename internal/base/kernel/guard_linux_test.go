package kernel

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// guarded is memory between two inaccessible pages.
type guarded []byte

func newGuarded(t *testing.T, cells int) guarded {
	page := syscall.Getpagesize()
	size := (cells*8 + page - 1) / page * page
	all := testenv.Must(syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE))
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	for _, at := range []int{0, page + size} {
		testenv.OK(t, syscall.Mprotect(all[at:at+page], syscall.PROT_NONE))
	}
	return all[page : page+size]
}

// first and last return the first and the last n cells, next to an inaccessible page.
func (g guarded) first(n int) []float64 { return unsafe.Slice((*float64)(unsafe.Pointer(&g[0])), n) }

func (g guarded) last(n int) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(&g[len(g)-8*n])), n)
}

// TestNothingOutsideIsTouched checks that no kernel accesses memory before or after its
// slices, of any width, and that results do not depend on the address of a slice.
func TestNothingOutsideIsTouched(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	const most = 16 * 40 // cells
	var in, out []guarded
	for range 10 {
		in, out = append(in, newGuarded(t, most)), append(out, newGuarded(t, most))
	}
	places := map[string]func(g guarded, n int) []float64{
		"first": guarded.first, "last": guarded.last,
		"heap": func(_ guarded, n int) []float64 { return make([]float64, n) },
	}
	for _, c := range calls {
		for _, i := range implementations {
			for R := 1; R <= 40; R++ {
				B, M := 1+R%5, 1+R%4
				results := map[string][][]float64{}
				for place, of := range places {
					rng := rand.New(rand.NewPCG(uint64(R), 3))
					var operands [][]float64
					for j, o := range c.in {
						cells := of(in[j], o.cells(B, M, R))
						o.fill(cells, rng, true)
						operands = append(operands, cells)
					}
					for j, cells := range c.out {
						results[place] = append(results[place], of(out[j], cells(B, M, R)))
					}
					if err := touches(func() { c.run(i, results[place], operands, B, M, R) }); err != nil {
						t.Fatalf("%s, %s, %s, B=%d, M=%d, R=%d: %v", i.name, c.name, place, B, M, R, err)
					}
					for j, cells := range results[place] {
						results[place][j] = append([]float64(nil), cells...)
					}
				}
				for place, got := range results {
					for j, cells := range got {
						if !sameBits(cells, results["heap"][j]) {
							t.Errorf("%s, %s, B=%d, M=%d, R=%d: result %d differs at %s", i.name, c.name, B, M, R, j, place)
						}
					}
				}
			}
		}
	}
}

// touches runs f and returns its memory fault as an error.
func touches(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	f()
	return nil
}

func TestGuardsCatch(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	g := newGuarded(t, 8)
	for name, p := range map[string]unsafe.Pointer{
		"before": unsafe.Add(unsafe.Pointer(&g.first(1)[0]), -8),
		"after":  unsafe.Add(unsafe.Pointer(&g.last(1)[0]), 8),
	} {
		if touches(func() { *(*float64)(p) = 1 }) == nil {
			t.Errorf("a write %s is not detected", name)
		}
	}
}
