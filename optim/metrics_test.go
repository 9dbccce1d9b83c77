package optim_test

import (
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
)

func TestByMember(t *testing.T) {
	m := func(member, iteration int) optim.Metrics { return optim.Metrics{Member: member, Iteration: iteration} }
	got := optim.ByMember([]optim.Metrics{m(2, 1), m(1, 1), m(2, 2), m(1, 2)})
	if want := [][]optim.Metrics{{m(2, 1), m(2, 2)}, {m(1, 1), m(1, 2)}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if optim.ByMember(nil) != nil {
		t.Error("nothing has members")
	}
}
