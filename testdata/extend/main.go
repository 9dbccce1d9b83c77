// Command extend is tskgraph with a shape, a loss, a solver and a normalisation of its own: one file each, which
// registers what it adds. All of them are choices of every subcommand, and main_test.go tests them as those of tskgraph are:
//
//	go run . train --set data.builtin=mackey-glass --set model.membership=sech --set train.loss=logcosh
package main

import "github.com/tskgraph/tskgraph/cli"

func main() { cli.Main() }
