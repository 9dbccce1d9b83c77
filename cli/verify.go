package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/verify"
)

func newVerify() *cobra.Command {
	var v verifying
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Compare the gradients of every membership function, computed in several ways",
		Long: `Compute the gradients of the loss with both engines (autodiff and fused), from the paper's equations, from the closed
form of each membership function, and by finite differences, and compare each pair: for every shape in several sizes, with
and without DropRule and penalty; for the shape of a configuration, which may be your own; or for a model at its parameters.
The exit code is 1 if a gradient is wrong, of which three lines say what is wrong, what each computation gives, and which one
stands alone.`,
		Example: `  tskgraph verify
  tskgraph verify --membership gaussian
  tskgraph verify --config mine.yaml
  tskgraph verify --model runs/no2-gaussian-001 --data runs/no2-gaussian-001/test.csv --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(exclusive(cmd, "membership", "model"), exclusiveConfig(cmd, "membership"),
				exclusiveConfig(cmd, "model")); err != nil {
				return err
			}
			return v.run(cmd)
		},
	}
	v.config.Add(cmd.Flags())
	cmd.Flags().StringSliceVar(&v.shapes, "membership", nil, "check only these `shapes` (default: all)")
	addModel(cmd, &v.model)
	addMember(cmd, &v.member)
	cmd.Flags().StringVarP(&v.data, "data", "d", "", "a table with the model's features and target")
	cmd.Flags().StringVar(&v.delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	cmd.Flags().Uint64Var(&v.seed, "seed", 1, "seed of the drawn rules and samples")
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print one JSON object")
	return cmd
}

// verifying is one `verify` command.
type verifying struct {
	config                 command.Config
	shapes                 []string
	model, data, delimiter string
	member                 int
	seed                   uint64
	asJSON                 bool
}

func (v *verifying) run(cmd *cobra.Command) error {
	if v.member != 0 && v.model == "" {
		return message.Usagef("--member needs --model")
	}
	rng := rand.New(rand.NewPCG(v.seed, 0))
	r, err := v.check(cmd, rng)
	if err != nil {
		return err
	}
	if v.asJSON {
		err = escape.PrintJSON(cmd.OutOrStdout(), r)
	} else {
		err = text.WriteVerification(cmd.OutOrStdout(), r)
	}
	if err != nil {
		return err
	}
	return r.Err()
}

// check compares the gradients of a model or of shapes.
func (v *verifying) check(cmd *cobra.Command, rng *rand.Rand) (*verify.Report, error) {
	if v.model != "" || v.data != "" {
		if err := needed(cmd, "model", "data"); err != nil {
			return nil, err
		}
		return v.checkModel(cmd, rng)
	}
	shapes, err := v.lookup()
	if err != nil {
		return nil, err
	}
	return verify.Shapes(shapes, verify.Cases(), rng)
}

// lookup returns the shape of a configuration, the shapes of the given names, or all shapes.
func (v *verifying) lookup() ([]membership.Function, error) {
	if v.config.Path != "" || len(v.config.Set) > 0 {
		c, err := v.config.Load()
		if err != nil {
			return nil, err
		}
		return []membership.Function{c.Recipe.Model.Membership}, nil
	}
	names := v.shapes
	if len(names) == 0 {
		names = membership.Names()
	}
	var shapes []membership.Function
	for _, name := range names {
		shape, err := membership.Lookup(name)
		if err != nil {
			hint := "choose one of " + strings.Join(membership.Names(), ", ")
			if closest := registry.Closest(name, membership.Names()); closest != "" {
				hint = fmt.Sprintf("did you mean %s?", closest)
			}
			return nil, message.Usagef("--membership: unknown shape %q: %s", name, hint)
		}
		shapes = append(shapes, shape)
	}
	return shapes, nil
}

// checkModel compares the gradients at the parameters of a model, on rows of a table.
func (v *verifying) checkModel(cmd *cobra.Command, rng *rand.Rand) (*verify.Report, error) {
	m, err := loadRules(v.model, v.member)
	if err != nil {
		return nil, err
	}
	d, err := prediction.ReadTable(cmd.Context(), cmd.ErrOrStderr(), m, v.data, data.Options{Delimiter: v.delimiter, Lenient: true})
	if err != nil {
		return nil, err
	}
	x, err := m.Scale(d.X)
	if err != nil {
		return nil, &data.Error{File: v.data, Message: err.Error(), Err: err}
	}
	trained, err := recipe.Of(m)
	if err != nil {
		return nil, err
	}
	return verify.Model(m.RuleBase, trained.Train.LossFunction(len(m.Schema.Classes)), x, m.Targets(d), d.Weights, rng)
}
