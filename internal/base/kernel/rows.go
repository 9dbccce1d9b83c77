package kernel

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// DropRows writes the firing levels f [B,R] to level [B,R], with zero for dropped rules;
// mask [B,R] is one for kept rules and zero for dropped ones. If the kept levels of a
// sample sum to at most least, it uses all rules instead. used [B,R] is the mask with the
// rows of such samples set to one.
func DropRows(level, used, f, mask []float64, least float64, B, R int) {
	use.dropRows(cut(level, B*R), cut(used, B*R), cut(f, B*R), cut(mask, B*R), least, B, R)
}

func dropRows(level, used, f, mask []float64, least float64, B, R int) {
	for b := range B {
		row, keep := f[b*R:(b+1)*R], mask[b*R:(b+1)*R]
		level, used := level[b*R:(b+1)*R], used[b*R:(b+1)*R]
		sum := 0.0
		for r, v := range row {
			sum += float64(v * keep[r])
		}
		if !(sum > least) {
			for r := range used {
				used[r] = 1
			}
			copy(level, row)
			continue
		}
		copy(used, keep)
		for r, v := range row {
			level[r] = v * keep[r]
		}
	}
}

// Normalise divides the levels [B,R] of each sample by their sum and computes the
// weighted sum of the rule outputs [B,R], the paper's equations (3) and (4):
//
//	scale[b]   = 1 / sum_r level[b,r]
//	level[b,r] = level[b,r] scale[b]
//	y[b]       = sum_r level[b,r] outputs[b,r]
//
// covered [B] is one. If the sum of a sample is at most least, its levels, scale, y and
// covered are zero; if the sum is NaN, y and scale are NaN and covered is zero.
func Normalise(y, scale, covered, level, outputs []float64, least float64, B, R int) {
	use.normalise(cut(y, B), cut(scale, B), cut(covered, B), cut(level, B*R), cut(outputs, B*R), least, B, R)
}

func normalise(y, scale, covered, level, outputs []float64, least float64, B, R int) {
	for b := range B {
		y[b], scale[b], covered[b] = weightedSum(level[b*R:(b+1)*R], outputs[b*R:(b+1)*R], least)
	}
}

func weightedSum(level, outputs []float64, least float64) (y, scale, covered float64) {
	outputs = outputs[:len(level)]
	sum := 0.0
	for _, f := range level {
		sum += f
	}
	if sum <= least {
		clear(level)
		return 0, 0, 0
	}
	if sum > least {
		covered = 1
	}
	scale = 1 / sum
	for r, f := range level {
		f *= scale
		level[r] = f
		y += float64(f * outputs[r])
	}
	return y, scale, covered
}

// WeightedSums computes the weighted sum of the rule outputs [B,R] by normalised levels
// [B,R], as [Normalise] does:
//
//	y[b] = sum_r level[b,r] outputs[b,r]
func WeightedSums(y, level, outputs []float64, B, R int) {
	for b := range B {
		row, outputs := level[b*R:][:R], outputs[b*R:][:R]
		sum := 0.0
		for r, f := range row {
			sum += float64(f * outputs[r])
		}
		y[b] = sum
	}
}

// Add adds v to sum.
func Add(sum, v []float64) {
	v = v[:len(sum)]
	for i := range sum {
		sum[i] += v[i]
	}
}

// NormaliseBackward computes from dy [B], dL/dy,
//
//	byOutput[b,r] = dy[b] level[b,r]
//	byFiring[b,r] = dy[b] scale[b] factor[b,r] (outputs[b,r] - y[b])
//
// byFiring is dL/df if factor is the mask in use, and dL/dlog f if factor is level and
// scale is one.
//
// If one rule dominates, its output is nearly y, and the difference loses digits to
// cancellation. The differences, weighted by the levels, sum to zero in exact arithmetic,
// so their computed sum is the rounding error; it is subtracted from each.
func NormaliseBackward(byFiring, byOutput, level, factor, outputs, y, dy, scale []float64, B, R int) {
	use.normaliseBackward(cut(byFiring, B*R), cut(byOutput, B*R), cut(level, B*R), cut(factor, B*R), cut(outputs, B*R),
		cut(y, B), cut(dy, B), cut(scale, B), B, R)
}

func normaliseBackward(byFiring, byOutput, level, factor, outputs, y, dy, scale []float64, B, R int) {
	for b, e := range dy {
		by, out, f := byFiring[b*R:(b+1)*R], byOutput[b*R:(b+1)*R], factor[b*R:(b+1)*R]
		levels, outputs := level[b*R:(b+1)*R], outputs[b*R:(b+1)*R]
		out, f, levels, outputs = out[:len(by)], f[:len(by)], levels[:len(by)], outputs[:len(by)]
		s, y, rounding := e*scale[b], y[b], 0.0
		for r, level := range levels {
			rounding += float64(level * (outputs[r] - y))
		}
		for r := range by {
			out[r] = e * levels[r]
			by[r] = s * f[r] * (outputs[r] - y - rounding)
		}
	}
}

// Exp writes e^x to dst, element by element; dst may be x and must be as long. The
// error is below 1 ulp with AVX2, and at most 3 ulp in Go, see [numeric.Exps]. e^x is +Inf for x >= 709.79,
// subnormal below -708.4, zero below -745.14, and NaN for NaN.
func Exp(dst, x []float64) {
	if len(x) > 0 {
		callExp(cut(dst, len(x)), x)
	}
}

// Log writes the natural logarithm of x to dst, element by element; dst may be x and
// must be as long. The error is below 1 ulp, also for subnormal x. The logarithm of
// zero is -Inf, that of a negative number NaN.
func Log(dst, x []float64) {
	if len(x) > 0 {
		callLog(cut(dst, len(x)), x)
	}
}

// ExpRows computes firing levels f [B,R] from their logarithms z [B,R], relative to the
// largest kept one of each sample, and zero for dropped rules; mask [B,R] is zero where a
// rule is dropped. The levels of a sample are NaN if its largest kept z is not finite or
// any kept z is NaN. f may be z.
func ExpRows(f, z, mask []float64, B, R int) {
	use.expRows(cut(f, B*R), cut(z, B*R), cut(mask, B*R), B, R)
}

func expRows(f, z, mask []float64, B, R int) {
	var list [listed]uint8
	var levels [listed]float64
	for b := range B {
		row, keep, out := z[b*R:(b+1)*R], mask[b*R:(b+1)*R], f[b*R:(b+1)*R]
		top, n := math.Inf(-1), 0
		for from := 0; from < R; from += listed {
			n = kept(&list, keep[from:])
			for _, r := range list[:n] {
				if v := row[from+int(r)]; v > top || v != v { // max, which is a call in WebAssembly
					top = v
				}
			}
		}
		if !(math.Abs(top) <= math.MaxFloat64) {
			top = math.NaN()
		}
		for from := 0; from < R; from += listed {
			if R > listed {
				n = kept(&list, keep[from:])
			}
			part, out := row[from:min(from+listed, R)], out[from:min(from+listed, R)]
			for i, r := range list[:n] {
				levels[i] = part[r] - top
			}
			numeric.Exps(levels[:n], levels[:n])
			clear(out)
			for i, r := range list[:n] {
				out[r] = levels[i]
			}
		}
	}
}

// listed is the number of rules that kept lists at a time.
const listed = 64

// kept lists the rules that a mask keeps among its first 64, without branches, and returns their number.
func kept(list *[listed]uint8, mask []float64) (n int) {
	for r, k := range mask[:min(listed, len(mask))] {
		list[n&(listed-1)] = uint8(r)
		n += NotZero(k)
	}
	return n
}

// Ambiguity writes, for the predictions y [B] of [Normalise], the weighted variance of the
// rule outputs [B,R] and the rounding error of y:
//
//	rounding[b] = sum_r level[b,r] (outputs[b,r] - y[b])
//	d[b]        = sum_r level[b,r] (outputs[b,r] - y[b])^2 - rounding[b]^2
//
// and returns sum_b weight[b] d[b]. In exact arithmetic rounding is zero, see
// [NormaliseBackward].
func Ambiguity(d, rounding, level, outputs, y, weight []float64, B, R int) float64 {
	return use.ambiguity(cut(d, B), cut(rounding, B), cut(level, B*R), cut(outputs, B*R), cut(y, B), cut(weight, B), B, R)
}

func ambiguity(d, rounding, level, outputs, y, weight []float64, B, R int) float64 {
	total := 0.0
	for b, y := range y {
		level, outputs := level[b*R:][:R], outputs[b*R:][:R]
		first, second := 0.0, 0.0
		for r, f := range level {
			off := outputs[r] - y
			first += float64(f * off)
			second += float64(f * off * off)
		}
		d[b], rounding[b] = second-float64(first*first), first
		total += float64(weight[b] * d[b])
	}
	return total
}

// AmbiguityBackward adds the gradient of alpha/2 sum_b weight[b] d[b] to byFiring and
// byOutput [B,R]:
//
//	byOutput[b,r] += alpha weight[b] level[b,r] o
//	byFiring[b,r] += alpha/2 weight[b] scale[b] factor[b,r] (o^2 - d[b])
//
// with o = outputs[b,r] - y[b] - rounding[b]. d and rounding are those of [Ambiguity],
// level, factor and scale as in [NormaliseBackward].
func AmbiguityBackward(byFiring, byOutput, level, factor, outputs, y, d, rounding, weight, scale []float64, alpha float64, B, R int) {
	use.ambiguityBackward(cut(byFiring, B*R), cut(byOutput, B*R), cut(level, B*R), cut(factor, B*R), cut(outputs, B*R),
		cut(y, B), cut(d, B), cut(rounding, B), cut(weight, B), cut(scale, B), alpha, B, R)
}

func ambiguityBackward(byFiring, byOutput, level, factor, outputs, y, d, rounding, weight, scale []float64, alpha float64, B, R int) {
	for b, y := range y {
		firing, out := byFiring[b*R:][:R], byOutput[b*R:][:R]
		level, f, outputs := level[b*R:][:R], factor[b*R:][:R], outputs[b*R:][:R]
		by := alpha * weight[b]
		half := 0.5 * by * scale[b]
		for r, level := range level {
			off := outputs[r] - y - rounding[b]
			out[r] += float64(by * level * off)
			firing[r] += float64(half * f[r] * (float64(off*off) - d[b]))
		}
	}
}

// Unevenness writes to uneven [R] the difference between the mean over the samples of
// each rule's normalised firing level [B,R] and 1/R.
func Unevenness(uneven, level []float64, B, R int) {
	uneven = uneven[:R]
	clear(uneven)
	b := 0
	for ; b+4 <= B; b += 4 { // saves loads and stores
		row0, row1 := level[b*R:][:len(uneven)], level[(b+1)*R:][:len(uneven)]
		row2, row3 := level[(b+2)*R:][:len(uneven)], level[(b+3)*R:][:len(uneven)]
		for r, sum := range uneven {
			uneven[r] = sum + row0[r] + row1[r] + row2[r] + row3[r]
		}
	}
	for ; b < B; b++ {
		for r, f := range level[b*R:][:len(uneven)] {
			uneven[r] += f
		}
	}
	for r, sum := range uneven {
		uneven[r] = sum/float64(B) - 1/float64(R)
	}
}

// LevelsBackward adds to byFiring [B,R] the gradient of a term of the loss whose
// derivative by the normalised firing levels is by times u[b,r]:
//
//	byFiring[b,r] += by scale[b] factor[b,r] (u[b,r] - sum_i level[b,i] u[b,i])
//
// u is [B,R], or one row [R] for all samples. level, factor and scale are as in
// [NormaliseBackward].
func LevelsBackward(byFiring, level, factor, u, scale []float64, by float64, B, R int) {
	for b := range B {
		u := u[(b*R)%len(u):]
		out := byFiring[b*R : (b+1)*R]
		levels, f, u := level[b*R:][:len(out)], factor[b*R:][:len(out)], u[:len(out)]
		mean, s := dot(levels, u), by*scale[b]
		for r := range out {
			out[r] += float64(s * f[r] * (u[r] - mean))
		}
	}
}

// dot returns the sum of the products of x and v, which is as long, in four sums: each addition would wait for the one before.
func dot(x, v []float64) float64 {
	v = v[:len(x)]
	var s0, s1, s2, s3 float64
	r := 0
	for ; r+4 <= len(x); r += 4 {
		x, v := x[r:r+4], v[r:r+4]
		s0, s1 = s0+float64(x[0]*v[0]), s1+float64(x[1]*v[1])
		s2, s3 = s2+float64(x[2]*v[2]), s3+float64(x[3]*v[3])
	}
	for ; r < len(x); r++ {
		s0 += float64(x[r] * v[r])
	}
	return s0 + s1 + (s2 + s3)
}
