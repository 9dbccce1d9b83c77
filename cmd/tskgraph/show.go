package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/report"
)

func newShow() *cobra.Command {
	var modelPath string
	var member int
	var asJSON, asGraph bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show a model's rules in the data's own units",
		Long: `Show a model's rules in the data's own units: for each rule its IF part by feature, its THEN formula, and its share
of the firing on the training part. The rule that fires most comes first. Of a committee the members are shown one by
one.`,
		Example: `  tskgraph show --model runs/no2-gaussian-001
  tskgraph show --model model.json --json
  tskgraph show --model model.json --graph | dot -Tsvg > network.svg`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(needed(cmd, "model"), exclusive(cmd, "json", "graph")); err != nil {
				return err
			}
			m, err := loadMember(modelPath, member)
			if err != nil {
				return err
			}
			switch {
			case asGraph:
				if m, err = loadRules(modelPath, member); err != nil {
					return err
				}
				n, err := graph.New(m.RuleBase, graph.Options{Engine: m.Training.Engine, Batch: 1})
				if err != nil {
					return err
				}
				defer n.Close()
				return n.WriteDOT(cmd.OutOrStdout())
			case asJSON:
				return printJSON(cmd.OutOrStdout(), report.Describe(m))
			}
			return report.Describe(m).Write(cmd.OutOrStdout())
		},
	}
	addModel(cmd, &modelPath)
	addMember(cmd, &member)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&asGraph, "graph", false, "print the network as a graph in the DOT language")
	return cmd
}
