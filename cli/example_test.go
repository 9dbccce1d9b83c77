package cli_test

import (
	"github.com/tskgraph/tskgraph/cli"
	"github.com/tskgraph/tskgraph/membership"
)

// bell is a shape of this program; testdata/extend has a whole module with one, with a loss, a solver and a normalisation.
type bell struct{ membership.Gaussian }

func (bell) Name() string { return "bell" }

// The main function of a command with a shape of its own: go run . train --set model.membership=bell
func ExampleMain() {
	membership.Register(bell{}) // in an init function of the shape's file
	cli.Main()
}
