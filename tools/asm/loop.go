package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var labels int

// label returns an unused name.
func label(what string) string {
	labels++
	return fmt.Sprintf("%s%d", what, labels)
}

// pointer is the address of a slice's first element.
func pointer(slice string) Mem { return Mem{Base: Load(Param(slice).Base(), GP64())} }

// integer is an integer parameter of the function.
func integer(name string) GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// length is the length of a slice.
func length(slice string) GPVirtual {
	r := GP64()
	Load(Param(slice).Len(), r)
	return r
}

// bytes converts a number of cells to bytes, in place.
func bytes(n GPVirtual) GPVirtual {
	SHLQ(Imm(3), n)
	return n
}

// register is a copy of an operand.
func register(v Op) GPVirtual {
	r := GP64()
	MOVQ(v, r)
	return r
}

// repeat emits a loop of n iterations, at least one, and overwrites n.
func repeat(n GPVirtual, body func()) {
	top := label("loop")
	Label(top)
	body()
	DECQ(n)
	JNZ(LabelRef(top))
}

// tile is a part of a row: whole vectors, or its partial last vector.
type tile struct {
	n    int       // vectors
	at   GPVirtual // offset in the row, in bytes
	rest GPVirtual // bytes in use of a last vector; nil if all are
	mask vec       // lanes in use of a last vector
}

// overRow emits body for the tiles of a row of size bytes: tiles of the numbers of
// vectors in widths, the last of which is one, then the partial last vector.
func overRow(size GPVirtual, widths []int, body func(t tile)) {
	at, end := GP64(), GP64()
	XORQ(at, at)
	for _, n := range widths {
		top, done := label("tile"), label("narrower")
		Label(top)
		LEAQ(Mem{Base: at, Disp: 32 * n}, end)
		CMPQ(end, size)
		JG(LabelRef(done))
		body(tile{n: n, at: at})
		ADDQ(Imm(uint64(32*n)), at)
		JMP(LabelRef(top))
		Label(done)
	}
	done := label("done")
	rest := register(size)
	SUBQ(at, rest)
	JZ(LabelRef(done))
	body(tile{n: 1, at: at, rest: rest, mask: laneMask(rest)})
	Label(done)
}

// lanes are three set lanes, then three clear ones.
var lanes Mem

// laneMask sets as many lanes as rest, 8, 16 or 24 bytes, has cells.
func laneMask(rest GPVirtual) vec {
	if lanes.Symbol.Name == "" {
		lanes = GLOBL("lanes", RODATA|NOPTR)
		for i := range 6 {
			v := U64(0)
			if i < 3 {
				v = ^v
			}
			DATA(8*i, v)
		}
	}
	from := GP64()
	LEAQ(lanes, from)
	SUBQ(rest, from)
	mask := YMM()
	VMOVUPD(Mem{Base: from, Disp: 24}, mask)
	return mask
}

// cell is the memory operand of vector i of the tile in the row at m.
func (t tile) cell(m Mem, i int) Mem { return m.Idx(t.at, 1).Offset(32 * i) }

// load reads vector i of the tile in the row at m, with zeros beyond the end of the row.
func (t tile) load(m Mem, i int) vec { return t.read(t.cell(m, i)) }

// read reads a vector of the tile's shape.
func (t tile) read(m Mem) vec {
	d := YMM()
	if t.rest == nil {
		VMOVUPD(m, d)
	} else {
		VMASKMOVPD(m, t.mask, d)
	}
	return d
}

// store writes v to vector i of the tile in the row at m, and nothing beyond the end of
// the row. It overwrites v for a partial last vector.
func (t tile) store(v vec, m Mem, i int) { t.write(v, t.cell(m, i)) }

// write writes a vector of the tile's shape, as store does.
func (t tile) write(v vec, m Mem) {
	if t.rest == nil {
		VMOVUPD(v, m)
		return
	}
	// Masked stores are slow on some processors.
	one, done := label("one"), label("stored")
	BTQ(Imm(4), t.rest)
	JCC(LabelRef(one))
	VMOVUPD(v.AsX(), m)
	BTQ(Imm(3), t.rest)
	JCC(LabelRef(done))
	VEXTRACTF128(Imm(1), v, v.AsX())
	VMOVSD(v.AsX(), m.Offset(16))
	JMP(LabelRef(done))
	Label(one)
	VMOVSD(v.AsX(), m)
	Label(done)
}

// end ends a function.
func end() {
	VZEROUPPER()
	RET()
}
