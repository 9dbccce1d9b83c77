package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// overPairs emits body for pairs of n rows, at least one, and overwrites n. step is the
// offset of the second row: size, or zero for an unpaired last row, which body then
// computes twice.
func overPairs(n GPVirtual, body func(step func(size GPVirtual) GPVirtual)) {
	top := label("pair")
	Label(top)
	body(func(size GPVirtual) GPVirtual {
		step := GP64()
		XORQ(step, step)
		CMPQ(n, Imm(1))
		CMOVQGT(size, step)
		return step
	})
	SUBQ(Imm(2), n)
	JG(LabelRef(top))
}

// shifted is the memory operand by bytes after p.
func shifted(p Mem, by GPVirtual) Mem {
	q := Mem{Base: GP64()}
	LEAQ(p.Idx(by, 1), q.Base)
	return q
}

// consequents works on tiles of two samples and up to four vectors of rules.
func consequents() {
	function("consequents", "y, x, slope, bias []float64, B, M, R int")
	y, x, slope, bias := pointer("y"), pointer("x"), pointer("slope"), pointer("bias")
	B, xRow, row := integer("B"), bytes(integer("M")), bytes(integer("R"))
	overPairs(B, func(step func(GPVirtual) GPVirtual) {
		xb, yb := shifted(x, step(xRow)), shifted(y, step(row))
		overRow(row, []int{4, 2, 1}, func(t tile) {
			var sa, sb []vec
			for i := range t.n {
				w := t.load(bias, i)
				sa, sb = append(sa, w), append(sb, copied(w))
			}
			o, m := register(t.at), GP64()
			XORQ(m, m)
			top := label("feature")
			Label(top)
			va, vb := broadcast(x.Idx(m, 1)), broadcast(xb.Idx(m, 1))
			for i := range t.n {
				w := t.read(slope.Idx(o, 1).Offset(32 * i))
				addProduct(sa[i], va, w)
				addProduct(sb[i], vb, w)
			}
			ADDQ(row, o)
			ADDQ(Imm(8), m)
			CMPQ(m, xRow)
			JL(LabelRef(top))
			for i := range t.n {
				t.store(sa[i], y, i)
				t.store(sb[i], yb, i)
			}
		})
		LEAQ(xb.Idx(xRow, 1), x.Base)
		LEAQ(yb.Idx(row, 1), y.Base)
	})
	end()
}

// consequentsBackward works on tiles of two features and up to four vectors of
// rules, each over all samples.
func consequentsBackward() {
	function("consequentsBackward", "gslope, gbias, h, x, slope []float64, lambda float64, B, M, R int")
	h, x := pointer("h"), pointer("x")
	xRow, row := bytes(integer("M")), bytes(integer("R"))
	gbias := pointer("gbias")
	overRow(row, []int{4, 2, 1}, func(t tile) {
		sum, hp := zeros(t.n), Mem{Base: register(h.Base)}
		repeat(integer("B"), func() {
			for i := range t.n {
				accumulate(sum[i], t.load(hp, i))
			}
			ADDQ(row, hp.Base)
		})
		for i := range t.n {
			t.store(sum[i], gbias, i)
		}
	})
	M, shift := integer("M"), GP64() // of the first feature's row
	XORQ(shift, shift)
	overPairs(M, func(step func(GPVirtual) GPVirtual) {
		next, nextRow := step(register(U32(8))), step(row)
		overRow(row, []int{4, 2, 1}, func(t tile) {
			fa, fb := zeros(t.n), zeros(t.n)
			xp, hp := Mem{Base: register(x.Base)}, Mem{Base: register(h.Base)}
			repeat(integer("B"), func() {
				va, vb := broadcast(xp), broadcast(xp.Idx(next, 1))
				for i := range t.n {
					w := t.load(hp, i)
					addProduct(fa[i], w, va)
					addProduct(fb[i], w, vb)
				}
				ADDQ(xRow, xp.Base)
				ADDQ(row, hp.Base)
			})
			lambda := scalar("lambda")
			gslope, slope := shifted(pointer("gslope"), shift), shifted(pointer("slope"), shift)
			for i := range t.n {
				addProduct(fa[i], lambda, t.load(slope, i))
				t.store(fa[i], gslope, i)
			}
			gslope, slope = shifted(gslope, nextRow), shifted(slope, nextRow)
			for i := range t.n {
				addProduct(fb[i], lambda, t.load(slope, i))
				t.store(fb[i], gslope, i)
			}
		})
		LEAQ(x.Offset(16), x.Base)
		LEAQ(Mem{Base: shift}.Idx(row, 2), shift)
	})
	end()
}
