package graph

func add(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v + y[i]
	}
}

func addScalar(dst, x []float64, y float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v + y
	}
}

func subtract(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v - y[i]
	}
}

func subtractFrom(dst []float64, x float64, y []float64) {
	dst = dst[:len(y)]
	for i, v := range y {
		dst[i] = x - v
	}
}

func multiply(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v * y[i]
	}
}

func scale(dst, x []float64, y float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v * y
	}
}

func divide(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v / y[i]
	}
}

func divideBy(dst []float64, x float64, y []float64) {
	dst = dst[:len(y)]
	for i, v := range y {
		dst[i] = x / v
	}
}

func greater(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = oneIf(v > y[i])
	}
}

func equal(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = oneIf(v == y[i])
	}
}

func equalTo(dst, x []float64, y float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = oneIf(v == y)
	}
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}

// repeat repeats each run of inner elements of x times.
func repeat(dst, x []float64, times, inner int) {
	for ; len(x) > 0; x = x[inner:] {
		if inner == 1 {
			for i := range dst[:times] {
				dst[i] = x[0]
			}
			dst = dst[times:]
			continue
		}
		for range times {
			copy(dst, x[:inner])
			dst = dst[inner:]
		}
	}
}

// sumAlong sums runs of along rows of inner elements of x.
func sumAlong(dst, x []float64, along, inner int) {
	for ; len(dst) > 0; dst = dst[inner:] {
		if inner == 1 {
			sum := x[0]
			for _, v := range x[1:along] {
				sum += v
			}
			dst[0], x = sum, x[along:]
			continue
		}
		copy(dst[:inner], x)
		x = x[inner:]
		for range along - 1 {
			add(dst[:inner], dst[:inner], x[:inner])
			x = x[inner:]
		}
	}
}
