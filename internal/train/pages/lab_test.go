package pages

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

func labLoad(name string) (head []string, rows [][]string) {
	f, _ := os.Open("/tmp/tree-lab/data" + "/" + name + ".csv")
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		panic(err)
	}
	return all[0], all[1:]
}

func labSamples(head []string, rows [][]string, idx []int) Samples {
	var s Samples
	for j, h := range head {
		vals := make([]float64, len(rows))
		ok := true
		for i, r := range rows {
			v, err := strconv.ParseFloat(r[j], 64)
			if err != nil {
				ok = false
				break
			}
			vals[i] = v
		}
		if ok {
			sub := make([]float64, len(idx))
			for k, i := range idx {
				sub[k] = vals[i]
			}
			if j == len(head)-1 {
				s.Y = sub
			} else {
				s.Columns = append(s.Columns, Column{Name: h, Values: sub})
			}
			continue
		}
		lv := map[string]int{}
		c := Column{Name: h}
		for _, r := range rows {
			if _, ok := lv[r[j]]; !ok {
				lv[r[j]] = 0
				c.Levels = append(c.Levels, r[j])
			}
		}
		slices.Sort(c.Levels)
		for k, l := range c.Levels {
			lv[l] = k
		}
		for _, i := range idx {
			c.Codes = append(c.Codes, lv[rows[i][j]])
		}
		s.Columns = append(s.Columns, c)
	}
	return s
}

func labStd(y []float64) (z []float64, mu, sd float64) {
	for _, v := range y {
		mu += v / float64(len(y))
	}
	for _, v := range y {
		sd += (v - mu) * (v - mu) / float64(len(y))
	}
	sd = math.Sqrt(sd)
	for _, v := range y {
		z = append(z, (v-mu)/sd)
	}
	return
}

// ridge least squares per leaf
func labSolve(f *frame, y []float64, l leaf) (b float64, c, w []float64) {
	k := len(l.terms)
	c, w = make([]float64, k), make([]float64, k)
	n := float64(len(l.rows))
	for _, r := range l.rows {
		b += y[r] / n
		for i, t := range l.terms {
			c[i] += f.z[t][r] / n
		}
	}
	A := make([][]float64, k)
	for i := range A {
		A[i] = make([]float64, k+1)
	}
	for _, r := range l.rows {
		for i, t := range l.terms {
			for j, u := range l.terms {
				A[i][j] += (f.z[t][r] - c[i]) * (f.z[u][r] - c[j])
			}
			A[i][k] += (f.z[t][r] - c[i]) * (y[r] - b)
		}
	}
	for i := range A {
		A[i][i] += 1e-3 * n
	}
	for i := range A {
		for j := i + 1; j < k; j++ {
			q := A[j][i] / A[i][i]
			for m := i; m <= k; m++ {
				A[j][m] -= q * A[i][m]
			}
		}
	}
	for i := k - 1; i >= 0; i-- {
		w[i] = A[i][k]
		for j := i + 1; j < k; j++ {
			w[i] -= A[i][j] * w[j]
		}
		w[i] /= A[i][i]
	}
	return
}

func TestLab(t *testing.T) {
	text, err := os.ReadFile("/tmp/tree-lab/ref.json")
	if err != nil {
		t.Skip()
	}
	var ref map[string][]struct {
		Train []int
		RMSE  map[int]float64
		Time  float64
	}
	json.Unmarshal(text, &ref)
	names := []string{}
	for k := range ref {
		names = append(names, k)
	}
	slices.Sort(names)
	o := Options{Rules: 8, Conditions: 3, Terms: 4}
	all, count := 0.0, 0
	for _, name := range names {
		head, rows := labLoad(name)
		ratio := map[int]float64{}
		var took, ptook, ftook time.Duration
		for _, s := range ref[name] {
			in := make([]bool, len(rows))
			for _, i := range s.Train {
				in[i] = true
			}
			var test []int
			for i := range rows {
				if !in[i] {
					test = append(test, i)
				}
			}
			tr, te := labSamples(head, rows, s.Train), labSamples(head, rows, test)
			t0 := time.Now()
			f := newFrame(tr, o)
			ftook += time.Since(t0)
			t0 = time.Now()
			y, mu, sd := labStd(tr.Y)
			ts, err := f.trees(context.Background(), y, o)
			took += time.Since(t0)
			ptook += time.Duration(s.Time * 1e9)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := slices.Min(tr.Y), slices.Max(tr.Y)
			d := (hi - lo) / 20
			if lo >= 0 {
				lo = max(lo-d, 0)
			} else {
				lo -= d
			}
			hi += d
			g := f.applied(te)
			for l, tree := range ts {
				if s.RMSE[l+1] == 0 {
					continue
				}
				at := g.leafOf(tree)
				sse := 0.0
				type lm struct {
					b    float64
					c, w []float64
				}
				var ms []lm
				for _, lf := range tree {
					b, c, w := labSolve(f, y, lf)
					ms = append(ms, lm{b, c, w})
				}
				for i, y := range te.Y {
					m := ms[at[i]]
					p := m.b
					for k, u := range tree[at[i]].terms {
						p += m.w[k] * (g.z[u][i] - m.c[k])
					}
					p = min(max(p*sd+mu, lo), hi)
					sse += (p - y) * (p - y)
				}
				ratio[l+1] += math.Log(math.Sqrt(sse/float64(len(te.Y)))/s.RMSE[l+1]) / float64(len(ref[name]))
			}
		}
		line := fmt.Sprintf("%-10s", name)
		for l := 1; l <= 8; l++ {
			if ratio[l] != 0 {
				line += fmt.Sprintf(" %d:%.3f", l, math.Exp(ratio[l]))
				all += ratio[l]
				count++
			}
		}
		n := time.Duration(len(ref[name]))
		fmt.Println(line, "frame", (ftook / n).Round(100*time.Microsecond), "trees", (took / n).Round(100*time.Microsecond), "proto", (ptook / n).Round(time.Millisecond))
	}
	fmt.Printf("all %.4f\n", math.Exp(all/float64(count)))
}
