package main

import . "github.com/mmcloughlin/avo/build"

// shrink reads each row twice.
func shrink() {
	functionOf("shrink", "g, v []float64, by, deviation float64, n, R int", "(means, deviations float64)")
	g, v := pointer("g"), pointer("v")
	by, deviation := scalar("by"), scalar("deviation")
	R, row := YMM(), bytes(integer("R"))
	VCVTSI2SDQ(integer("R"), R.AsX(), R.AsX())
	VBROADCASTSD(R.AsX(), R)
	means, deviations := zero(), zero()
	repeat(integer("n"), func() {
		sum := zero()
		overRow(row, single, func(t tile) { accumulate(sum, t.load(v, 0)) })
		mean := div(fold(sum, add), R)
		addProduct(means, mean, mean)
		start := mul(by, mean)
		overRow(row, single, func(t tile) {
			off := sub(t.load(v, 0), mean)
			if t.rest != nil {
				off = and(off, t.mask)
			}
			addProduct(deviations, off, off)
			out := copied(start)
			addProduct(out, deviation, off)
			t.store(out, g, 0)
		})
		ADDQ(row, g.Base)
		ADDQ(row, v.Base)
	})
	Store(means.AsX(), ReturnIndex(0))
	Store(fold(deviations, add).AsX(), ReturnIndex(1))
	end()
}
