package kernel

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
