package kernel

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
