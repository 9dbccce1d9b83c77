package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"runtime"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn2x1[beam.T, func(beam.T), error](&pick{})
	register.Emitter1[beam.T]()
}

// Numbered is an element with a number: elements of successive numbers go to different workers.
type Numbered interface{ Number() int }

// Spread applies a step to a collection of few elements of much work each, so that workers share them: after a Reshuffle
// on the runners of clusters; on Prism, which works on a collection one element after the other, in branches with some of
// the elements each. Elements that are not [Numbered] are spread by their JSON. The result does not depend on the branches
// except for the order of its elements.
func Spread(o *Options, s beam.Scope, in beam.PCollection, step func(beam.Scope, beam.PCollection) beam.PCollection) beam.PCollection {
	in = beam.Reshuffle(s, in)
	n := branches(o)
	if n == 1 {
		return step(s, in)
	}
	out := make([]beam.PCollection, n)
	for i := range out {
		branch := s.Scope(fmt.Sprint(branchScope, i))
		out[i] = step(branch, beam.ParDo(branch, &pick{i, n}, in))
	}
	return beam.Flatten(s, out...)
}

// branchScope begins the names of the scopes of branches.
const branchScope = "branch "

// branches returns how many parts Prism works on at the same time. They are more than the processors, since elements differ
// in their work, and [Slot] bounds what runs.
func branches(o *Options) int {
	if !o.OnPrism() {
		return 1
	}
	return 4 * max(runtime.GOMAXPROCS(0), o.Processes)
}

// pick passes the elements of a branch.
type pick struct{ Branch, Branches int }

func (p *pick) ProcessElement(element beam.T, emit func(beam.T)) error {
	n, err := number(element)
	if err == nil && int(n%uint64(p.Branches)) == p.Branch {
		emit(element)
	}
	return err
}

func number(element any) (uint64, error) {
	if e, ok := element.(Numbered); ok {
		return uint64(e.Number()), nil
	}
	text, err := json.Marshal(element)
	if err != nil {
		return 0, err
	}
	h := fnv.New64a()
	_, _ = h.Write(text) // never fails
	return h.Sum64(), nil
}

// slots are for the elements that this process works on.
var slots = make(chan struct{}, runtime.GOMAXPROCS(0))

// Slot waits until one of the processors of this process is free, for a DoFn that works long on an element; runners start
// more than that. The DoFn must call release, and must not wait for other elements before.
func Slot(ctx context.Context) (release func(), err error) {
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
