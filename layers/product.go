package layers

import "gorgonia.org/gorgonia"

// Product returns the firing levels f_r(x_n), the paper's equation (2), as a node
// [B,R]: the product of the grades [M,B,R] over the features.
//
// It multiplies the first half of the slabs by the second until one is left, so
// that M features need about log2(M) nodes. The gradient is a product of the other
// factors, without division by a grade that may be zero.
func Product(b *Builder, grades node) node {
	M, B, R := grades.Shape()[0], grades.Shape()[1], grades.Shape()[2]
	if M == 1 {
		// A reshaped node is a view: without a copy, Gorgonia would overwrite the
		// grades downstream, which the backward pass needs.
		grades = b.binary(gorgonia.Mul, grades, b.constant(1))
	}
	for M > 1 {
		half := M / 2
		product := b.binary(gorgonia.HadamardProd, slabs(b, grades, 0, half, B, R), slabs(b, grades, half, 2*half, B, R))
		if M%2 == 1 {
			odd := slabs(b, grades, M-1, M, B, R)
			even := product
			product = b.do(func() (node, error) { return gorgonia.Concat(0, even, odd) })
		}
		grades, M = product, half+M%2
	}
	return b.reshape(grades, B, R)
}

// slabs returns grades[from:to] as a node [to-from,B,R].
func slabs(b *Builder, grades node, from, to, B, R int) node {
	part := b.do(func() (node, error) { return gorgonia.Slice(grades, gorgonia.S(from, to)) })
	return b.reshape(part, to-from, B, R)
}

// LogProduct returns the logarithms of the firing levels, [B,R], from those of
// the grades, [M,B,R]: a sum over the features.
func LogProduct(b *Builder, logGrades node) node {
	B, R := logGrades.Shape()[1], logGrades.Shape()[2]
	return b.reshape(b.sum(logGrades, 0), B, R)
}
