package layers_test

import (
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

// TestLayersRefuse: a layer without its nodes, or with nodes of other shapes, is an error of Build.
func TestLayersRefuse(t *testing.T) {
	for name, build := range map[string]func(b *layers.Builder, x *gorgonia.Node){
		"no samples": func(b *layers.Builder, _ *gorgonia.Node) {
			layers.Membership(b, membership.Gaussian{}, nil, nil, false)
		},
		"no parameters": func(b *layers.Builder, x *gorgonia.Node) { layers.Membership(b, membership.Gaussian{}, x, nil, false) },
		"no shape":      func(b *layers.Builder, x *gorgonia.Node) { layers.Membership(b, nil, x, []*gorgonia.Node{x, x}, false) },
		"no grades":     func(b *layers.Builder, _ *gorgonia.Node) { layers.Join(b, inference.Product{}, nil, false) },
		"no rules":      func(b *layers.Builder, x *gorgonia.Node) { layers.FiringLevels(b, nil, x, nil, nil, 0) },
		"no outputs":    func(b *layers.Builder, x *gorgonia.Node) { layers.Output(b, x, nil) },
		"other shapes":  func(b *layers.Builder, x *gorgonia.Node) { layers.Output(b, x, b.Input("y", matrix(2, 1, 2))) },
		"no slopes":     func(b *layers.Builder, x *gorgonia.Node) { layers.Consequent(b, x, nil, nil) },
		"no target":     func(b *layers.Builder, x *gorgonia.Node) { layers.Loss(b, loss.Squared{}, x, nil, nil, nil) },
		"no inputs":     func(b *layers.Builder, x *gorgonia.Node) { layers.Head(b, x, layers.Inputs{}, layers.HeadOptions{}) },
		"no value":      func(b *layers.Builder, _ *gorgonia.Node) { b.Input("y", nil) },
	} {
		err := layers.Build(gorgonia.NewGraph(), func(b *layers.Builder) error {
			build(b, b.Input("x", matrix(3, 0, 1, 2)))
			return nil
		})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
