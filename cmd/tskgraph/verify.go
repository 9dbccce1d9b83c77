package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/suggest"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/report"
	"github.com/tskgraph/tskgraph/verify"
)

func newVerify() *cobra.Command {
	var flags configFlags
	var names []string
	var modelPath, dataPath, delimiter string
	var member int
	var showMutants, asJSON bool
	var seed uint64
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Hold the gradients of every membership function against each other",
		Long: `Compute the gradients of the loss by both engines (autodiff and fused), by the paper's equations, by the closed form of
each membership function and by finite differences, and hold each against each: for every shape over several sizes, with and without
DropRule and penalty; for the shape of a configuration, which may be one of your own; or for a model where it stands.
Then feed the same comparison with mistakes (mutants), every one of which it must catch. The exit code is 1 if a
gradient is wrong or a mutant was missed.`,
		Example: `  tskgraph verify
  tskgraph verify --membership gaussian --mutants
  tskgraph verify --config mine.yaml
  tskgraph verify --model runs/no2-gaussian-001 --data runs/no2-gaussian-001/test.csv --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, pair := range [][2]string{{"membership", "model"}, {"membership", "config"}, {"membership", "set"}, {"config", "model"}, {"set", "model"}} {
				if err := exclusive(cmd, pair[0], pair[1]); err != nil {
					return err
				}
			}
			if member != 0 && modelPath == "" {
				return usageError{errors.New("--member needs --model")}
			}
			var r *verify.Report
			var shapes []membership.Function
			var err error
			rng := rand.New(rand.NewPCG(seed, 0))
			if modelPath == "" && dataPath == "" {
				if shapes, err = shapesToVerify(names, flags); err != nil {
					return err
				}
				r, err = verify.Shapes(shapes, verify.Cases(), rng)
			} else {
				if err := needed(cmd, "model", "data"); err != nil {
					return err
				}
				r, shapes, err = verifyModel(cmd, modelPath, member, dataPath, delimiter, rng)
			}
			if err != nil {
				return err
			}
			if err := r.TryMutants(shapes, rng); err != nil {
				return err
			}
			if err := writeVerification(cmd, r, showMutants, asJSON); err != nil {
				return err
			}
			return r.Err()
		},
	}
	flags.add(cmd)
	cmd.Flags().StringSliceVar(&names, "membership", nil, "check only these `shapes` (default: all)")
	addModel(cmd, &modelPath)
	addMember(cmd, &member)
	cmd.Flags().StringVarP(&dataPath, "data", "d", "", "a table with the model's features and target")
	cmd.Flags().StringVar(&delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	cmd.Flags().BoolVar(&showMutants, "mutants", false, "show what became of every mutant")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "draws other rules and samples")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// shapesToVerify returns the shape of a configuration, or the shapes of the given
// names, or all of them.
func shapesToVerify(names []string, flags configFlags) ([]membership.Function, error) {
	if flags.path != "" || len(flags.set) > 0 {
		c, err := flags.load()
		if err != nil {
			return nil, err
		}
		return []membership.Function{c.Options.Model.Membership}, nil
	}
	if len(names) == 0 {
		names = membership.Names()
	}
	var shapes []membership.Function
	for _, name := range names {
		shape, err := membership.Lookup(name)
		if err != nil {
			hint := "choose one of " + strings.Join(membership.Names(), ", ")
			if closest := suggest.Closest(name, membership.Names()); closest != "" {
				hint = fmt.Sprintf("did you mean %s?", closest)
			}
			return nil, usageError{fmt.Errorf("--membership: there is no %q: %s", name, hint)}
		}
		shapes = append(shapes, shape)
	}
	return shapes, nil
}

// verifyModel checks a model where it stands, on rows of a table.
func verifyModel(cmd *cobra.Command, modelPath string, member int, dataPath, delimiter string, rng *rand.Rand) (*verify.Report, []membership.Function, error) {
	m, err := loadRules(modelPath, member)
	if err != nil {
		return nil, nil, err
	}
	d, err := readTable(cmd, m, dataPath, delimiter, false)
	if err != nil {
		return nil, nil, err
	}
	x, err := m.Scale(d.X)
	if err != nil {
		return nil, nil, &data.Error{File: dataPath, Message: err.Error(), Err: err}
	}
	r, err := verify.Model(m.RuleBase, x, m.Center(d.Y), d.Weights, rng)
	return r, []membership.Function{m.RuleBase.Shape}, err
}

// writeVerification prints the report; the mutants one by one only if asked for.
func writeVerification(cmd *cobra.Command, r *verify.Report, mutants, asJSON bool) error {
	if !asJSON {
		return report.WriteVerification(cmd.OutOrStdout(), r, mutants)
	}
	shown := *r
	if !mutants {
		shown.Mutants.Trials = nil
	}
	return printJSON(cmd.OutOrStdout(), shown)
}
