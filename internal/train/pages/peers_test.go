package pages

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// peersOf returns peers in this process, each with a goroutine of its own, and a count of the questions that they answered.
func peersOf(t *testing.T, count int) (*Peers, *int) {
	type sent struct {
		text     []byte
		answered chan []byte
	}
	answered, queues := 0, make([]chan sent, count)
	for k := range queues {
		queues[k] = make(chan sent, 1000)
		go func() {
			var p Peer
			for s := range queues[k] {
				s.answered <- testenv.Must(p.Answer(t.Context(), s.text))
			}
		}()
		t.Cleanup(func() { close(queues[k]) })
	}
	send := func(peer int, text []byte) func(context.Context) ([]byte, error) {
		if strings.Contains(string(text), `"Question"`) {
			answered++
		}
		s := sent{text, make(chan []byte, 1)}
		queues[peer] <- s
		return func(context.Context) ([]byte, error) { return <-s.answered, nil }
	}
	return &Peers{Count: count, Send: send}, &answered
}

// TestPeers finds the same page with peers as without, to the bit, of all that a search asks for.
func TestPeers(t *testing.T) {
	few := everything
	few.Numbers, few.Rules, few.Terms = 30, 3, 2
	plain := samples(240, 0.3)
	plain.Weight, plain.Groups = make([]float64, 240), make([]int, 240)
	for i := range plain.Weight {
		plain.Weight[i], plain.Groups[i] = 0.5+float64(i%3)/2, i/3
	}
	plain.Limits = &[2]float64{0, math.Inf(1)}
	classes, _ := classes(200, 2, 2)
	for name, s := range map[string]Samples{"numbers": plain, "factors": multiplied(240, 0.5), "log odds": classes[1]} {
		alone := testenv.Must(Find(t.Context(), s, few))
		o := few
		var answered *int
		o.Peers, answered = peersOf(t, 2)
		if found := testenv.Must(Find(t.Context(), s, o)); !reflect.DeepEqual(found, alone) {
			t.Errorf("%s: with peers another page:\n%s\nwithout:\n%s", name, found.Page, alone.Page)
		}
		if *answered < 30 {
			t.Errorf("%s: peers answered %d questions", name, *answered)
		}
	}
	var p Peer
	if _, err := p.Answer(t.Context(), []byte(`{"Search": 3, "Question": {}}`)); err == nil {
		t.Error("a question about a search that has not begun is answered")
	}
	for _, l := range []Loss{Logistic{}, Quantile{0.1}, Absolute{}, Huber{1.5}, Clipped{0, math.Inf(1)}} {
		testenv.Equal(t, formOfLoss(l).loss(), l, "a loss from its form")
	}
}
