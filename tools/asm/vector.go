package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// vec is a vector register of four float64.
type vec = VecVirtual

// The operations write to a new register. Operands are in the order of the formula:
// sub(a, b) is a-b. The second one may be in memory.

func op(f func(...Op), a, b Op) vec {
	d := YMM()
	f(b, a, d)
	return d
}

func add(a, b Op) vec { return op(VADDPD, a, b) }
func sub(a, b Op) vec { return op(VSUBPD, a, b) }
func mul(a, b Op) vec { return op(VMULPD, a, b) }
func div(a, b Op) vec { return op(VDIVPD, a, b) }
func and(a, b Op) vec { return op(VANDPD, a, b) }
func or(a, b Op) vec  { return op(VORPD, a, b) }

// without is b where the mask a is clear, and zero elsewhere.
func without(a, b Op) vec { return op(VANDNPD, a, b) }

// least and most are the smaller and the larger one; b if one of them is NaN.
func least(a, b Op) vec { return op(VMINPD, a, b) }
func most(a, b Op) vec  { return op(VMAXPD, a, b) }

// pick is b where the mask is set, and a elsewhere.
func pick(mask, a, b Op) vec {
	d := YMM()
	VBLENDVPD(mask, b, a, d)
	return d
}

// Comparisons, as VCMPPD numbers them; those that end in N hold for NaN, too.
const (
	equal       = 0x00
	unord       = 0x03
	notEqualN   = 0x04
	less        = 0x11
	lessEq      = 0x12
	notLessN    = 0x15
	notLessEqN  = 0x16
	notAtLeastN = 0x19
	notMoreN    = 0x1a
	atLeast     = 0x1d
	greater     = 0x1e
)

// compare is a mask with all bits set where the relation of a to b holds.
func compare(a Op, relation int, b Op) vec {
	d := YMM()
	VCMPPD(Imm(uint64(relation)), b, a, d)
	return d
}

// accumulate, addProduct and subProduct change sum: sum + a, sum + a*b, sum - a*b.
func accumulate(sum vec, a Op)    { VADDPD(a, sum, sum) }
func addProduct(sum, a vec, b Op) { VFMADD231PD(b, a, sum) }
func subProduct(sum, a vec, b Op) { VFNMADD231PD(b, a, sum) }

func zero() vec {
	d := YMM()
	VXORPD(d, d, d)
	return d
}

func zeros(n int) []vec {
	v := make([]vec, n)
	for i := range v {
		v[i] = zero()
	}
	return v
}

func copied(a Op) vec {
	d := YMM()
	VMOVAPD(a, d)
	return d
}

// broadcast is the number in memory in all four lanes.
func broadcast(m Mem) vec {
	d := YMM()
	VBROADCASTSD(m, d)
	return d
}

// scalar is a parameter of the function in all four lanes.
func scalar(name string) vec {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return broadcast(p.Addr)
}

// constants are in memory, each in four lanes.
var constants = map[uint64]Mem{}

// bits is a constant by its bits.
func bits(b uint64) Mem {
	m, ok := constants[b]
	if !ok {
		m = GLOBL(fmt.Sprintf("const%d", len(constants)), RODATA|NOPTR)
		for i := range 4 {
			DATA(8*i, U64(b))
		}
		constants[b] = m
	}
	return m
}

// number is a constant by its value.
func number(v float64) Mem { return bits(math.Float64bits(v)) }

// loaded is a constant in a register.
func loaded(m Mem) vec {
	d := YMM()
	VMOVUPD(m, d)
	return d
}

// fold combines the four lanes of v into each of them.
func fold(v vec, f func(a, b Op) vec) vec {
	swapped := YMM()
	VPERM2F128(Imm(1), v, v, swapped)
	v = f(v, swapped)
	within := YMM()
	VPERMILPD(Imm(0b0101), v, within)
	return f(v, within)
}
