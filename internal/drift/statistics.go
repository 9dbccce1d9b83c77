package drift

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// least is the number of expected rows of a group below which it joins others in a test, and of rows whose errors are compared.
const least = 5

// stability returns the population stability index of rows counted in groups, sum (q-p) log(q/p) of their shares, half a row being added to
// each group of both.
func stability(before, now []int) (index float64) {
	share := func(of []int, k int) float64 {
		total := 0
		for _, n := range of {
			total += n
		}
		return (float64(of[k]) + 0.5) / (float64(total) + float64(0.5*float64(len(of))))
	}
	for k := range before {
		p, q := share(before, k), share(now, k)
		index += float64((q - p) * math.Log(q/p))
	}
	return index
}

// homogeneity returns the chi-square test's probability of groups at least as different as these, if both have the same shares. Groups of
// less than five expected rows are joined.
func homogeneity(before, now []int) float64 {
	a, b := 0, 0
	for k := range before {
		a, b = a+before[k], b+now[k]
	}
	if a == 0 || b == 0 {
		return 1
	}
	total := float64(a + b)
	var joined [2]int
	square, groups := 0.0, 0
	add := func(x, y int) {
		for _, cell := range [2][2]int{{x, a}, {y, b}} {
			expected := float64(x+y) / total * float64(cell[1])
			square += (float64(cell[0]) - expected) * (float64(cell[0]) - expected) / expected
		}
		groups++
	}
	for k := range before {
		if float64(before[k]+now[k])/total*float64(min(a, b)) < least {
			joined[0], joined[1] = joined[0]+before[k], joined[1]+now[k]
			continue
		}
		add(before[k], now[k])
	}
	if joined[0]+joined[1] > 0 {
		add(joined[0], joined[1])
	}
	if groups < 2 {
		return 1
	}
	return distuv.ChiSquared{K: float64(groups - 1)}.Survival(square)
}

// atLeast returns the probability that, of n rows out of total, k or more are among marked ones (the hypergeometric distribution).
func atLeast(k, n, marked, total int) float64 {
	first := max(0, n+marked-total)
	if k <= first {
		return 1
	}
	choose := func(n, k int) float64 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	if k > min(n, marked) {
		return 0
	}
	term := math.Exp(choose(marked, k) + choose(total-marked, n-k) - choose(total, n))
	all := term
	for ; k < min(n, marked) && term > 0; k++ {
		ratio := float64(marked-k) * float64(n-k) / (float64(k+1) * float64(total-marked-n+k+1))
		term *= ratio
		all += term
		if ratio < 1 && term < all*1e-17 {
			break
		}
	}
	return min(1, all)
}

// binomial returns the probability that k or more of n rows have what each has with a probability.
func binomial(k, n int, probability float64) float64 {
	if probability >= 1 {
		return 1
	}
	return distuv.Binomial{N: float64(n), P: probability}.Survival(float64(k - 1))
}

// exact returns the probability of shares at least as different as k of n rows and before of total rows, if both are the same: Fisher's
// exact test, twice its smaller tail.
func exact(before, total, k, n int) float64 {
	more := atLeast(k, n, before+k, total+n)
	less := atLeast(before, total, before+k, total+n)
	return min(1, 2*min(more, less))
}

// welch returns the probability of means at least as different as these, if both have the same mean: Welch's t test. Of fewer than 20
// numbers on a side it is NaN.
func welch(a, b totals) float64 {
	if min(a.n, b.n) < 4*least {
		return math.NaN()
	}
	u, v := a.error(), b.error()
	if u+v == 0 {
		if a.mean == b.mean {
			return 1
		}
		return 0
	}
	t := (a.mean - b.mean) / math.Sqrt(u+v)
	freedom := (u + v) * (u + v) / (float64(u*u/float64(a.n-1)) + float64(v*v/float64(b.n-1)))
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Survival(math.Abs(t))
}

// holm returns which of the probabilities are significant at a level, all together (Holm, Scandinavian Journal of Statistics 6, 1979). NaN
// is no test.
func holm(all []float64, level float64) []bool {
	found := make([]bool, len(all))
	var order []int
	for i, p := range all {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if all[i] < all[j] {
			return -1
		}
		return 1
	})
	for rank, i := range order {
		if all[i] > level/float64(len(order)-rank) {
			break
		}
		found[i] = true
	}
	return found
}
