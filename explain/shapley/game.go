package shapley

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Streams of random numbers for a seed.
const (
	backgroundStream = iota
	permutationStream
)

// antithetic is the number of pairs of a permutation and its reverse for each row of the background.
const antithetic = 4

// coalitions evaluates a model on mixtures of the row to explain and rows of the background.
type coalitions interface {
	// subsets adds, for each subset S of the players, weight times the prediction of row b of the background with the values of S replaced to
	// v [2^d]. Bit i of an index into v stands for players[i].
	subsets(v []float64, weight float64, b int, players []int) error

	// walk adds weight times the prediction of row b of the background with the values of the
	// first t of the players replaced to v[t], t = 0 ... d.
	walk(v []float64, weight float64, b int, players []int) error
}

// attribute returns the attribution of a row without its prediction and mean. As the values are linear in v, the games against the rows of
// the background are played one by one, each by the players in which the pair of rows differs; games of the same players are added first.
func attribute(a *Attributor, x []float64) (Attribution, error) {
	g := gain{values: make([]float64, len(a.players)), variances: make([]float64, len(a.players))}
	for _, m := range a.members {
		c, err := m.explaining(x)
		if err != nil {
			return Attribution{}, err
		}
		g.members = append(g.members, c)
	}
	rng := rand.New(rand.NewPCG(a.seed, permutationStream))
	sampled := false
	for b, row := range a.background {
		var err error
		switch players := differing(a.players, x, row); {
		case len(players) > Exact:
			sampled = true
			err = g.sample(rng, a.weights[b], b, players)
		case len(players) > 0:
			err = g.play(a.weights[b], b, players)
		}
		if err != nil {
			return Attribution{}, err
		}
	}
	g.settle()
	return byColumn(a, g, sampled), nil
}

// byColumn returns the gains of the players by column of the schema.
func byColumn(a *Attributor, g gain, sampled bool) Attribution {
	all := Attribution{Values: make([]float64, len(a.model.Schema.Columns))}
	if sampled {
		all.Errors = make([]float64, len(all.Values))
	}
	for i, p := range a.players {
		all.Values[p.column] = g.values[i]
		if sampled {
			all.Errors[p.column] = math.Sqrt(g.variances[i])
		}
	}
	return all
}

// gain sums the values of the players over the background.
type gain struct {
	members           []coalitions
	values, variances []float64 // [P]

	players []int     // of the games not settled
	worth   []float64 // [2^d], of these games
}

// play adds the game against row b of the background.
func (g *gain) play(weight float64, b int, players []int) error {
	if !slices.Equal(players, g.players) {
		g.settle()
		g.players, g.worth = players, make([]float64, 1<<len(players))
	}
	for _, m := range g.members {
		if err := m.subsets(g.worth, weight/float64(len(g.members)), b, players); err != nil {
			return err
		}
	}
	return nil
}

// settle adds the values of the games not settled, by the definition of the package.
func (g *gain) settle() {
	d := len(g.players)
	share := make([]float64, d) // by |S|: |S|! (d-|S|-1)! / d!
	for s, ways := 0, float64(d); s < d; s++ {
		share[s] = 1 / ways // d times d-1 over s
		ways = ways * float64(d-1-s) / float64(s+1)
	}
	for i, p := range g.players {
		sum, bit := 0.0, 1<<i
		for with := bit; with < len(g.worth); with = (with + 1) | bit {
			without := with &^ bit
			sum += float64(share[bits.OnesCount(uint(without))] * (g.worth[with] - g.worth[without]))
		}
		g.values[p] += sum
	}
	g.players, g.worth = nil, nil
}

// sample adds an estimate of the game against row b of the background: the mean, over pairs of a random permutation and its reverse, of the
// change when a player joins those before it. Over one permutation the changes sum to f(x) - f(b).
func (g *gain) sample(rng *rand.Rand, weight float64, b int, players []int) error {
	order := make([]int, len(players)) // positions in players
	for i := range order {
		order[i] = i
	}
	joined, worth := make([]int, len(players)), make([]float64, len(players)+1)
	mean, squares := make([]float64, len(players)), make([]float64, len(players))
	for k := range antithetic {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		change := make([]float64, len(players))
		for range 2 {
			for t, i := range order {
				joined[t] = players[i]
			}
			clear(worth)
			for _, m := range g.members {
				if err := m.walk(worth, 1/float64(len(g.members)), b, joined); err != nil {
					return err
				}
			}
			for t, i := range order {
				change[i] += float64((worth[t+1] - worth[t]) / 2)
			}
			slices.Reverse(order)
		}
		for i, c := range change { // by B. P. Welford's recurrence
			from := c - mean[i]
			mean[i] += from / float64(k+1)
			squares[i] += float64(from * (c - mean[i]))
		}
	}
	for i, p := range players {
		g.values[p] += float64(weight * mean[i])
		g.variances[p] += float64(weight * weight * squares[i] / (antithetic * (antithetic - 1)))
	}
	return nil
}

// player is a column on which the model depends.
type player struct {
	column       int // index into the columns of the schema
	first, width int // its features
}

// playersOf returns the columns on which a model depends.
func playersOf(m *model.Model) []player {
	var players []player
	first := 0
	for i, c := range m.Schema.Columns {
		p := player{i, first, c.Width()}
		if depends(m, p) {
			players = append(players, p)
		}
		first += p.width
	}
	return players
}

// depends reports whether the predictions of a model, or of any member, depend on a column:
// whether a rule mentions one of its features in the IF part or in the THEN part, or a curve does.
func depends(m *model.Model, p player) bool {
	for _, member := range m.Members {
		if depends(member, p) {
			return true
		}
	}
	if m.Committee() {
		return false
	}
	for _, input := range p.inputs(m) {
		if m.Components != nil || bends(m.RuleBase, input) {
			return true
		}
		for r := range m.RuleBase.Rules() {
			if !m.RuleBase.IsFlat(r, input) || m.RuleBase.Consequents[r][1+input] != 0 {
				return true
			}
		}
	}
	return false
}

// bends reports whether an input has a curve that is not zero.
func bends(rb *rules.RuleBase, input int) bool {
	if rb.Curves == nil {
		return false
	}
	first := 0
	for _, knots := range rb.Knots[:input] {
		first += len(knots)
	}
	for _, values := range rb.Curves {
		if slices.ContainsFunc(values[first:][:len(rb.Knots[input])], func(v float64) bool { return v != 0 }) {
			return true
		}
	}
	return false
}

// inputs returns the indices of the player's features among the used features of a model.
func (p player) inputs(m *model.Model) []int {
	var inputs []int
	used := 0
	for i, f := range m.Features {
		if f.Constant {
			continue
		}
		if i >= p.first && i < p.first+p.width {
			inputs = append(inputs, used)
		}
		used++
	}
	return inputs
}

// differs reports whether two rows differ in a feature of the player. Two missing values are equal.
func (p player) differs(x, b []float64) bool {
	for i := p.first; i < p.first+p.width; i++ {
		if x[i] != b[i] && !(math.IsNaN(x[i]) && math.IsNaN(b[i])) {
			return true
		}
	}
	return false
}

// copy copies the player's features.
func (p player) copy(to, from []float64) {
	copy(to[p.first:p.first+p.width], from[p.first:p.first+p.width])
}

// differing returns the players, by index, in which two rows differ. All others are dummies in the game of this pair of rows.
func differing(players []player, x, b []float64) []int {
	var differing []int
	for i, p := range players {
		if p.differs(x, b) {
			differing = append(differing, i)
		}
	}
	return differing
}
