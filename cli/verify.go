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
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/verify"
)

func newVerify() *cobra.Command {
	var v verifying
	cmd := described("verify", noArgs, func(cmd *cobra.Command, _ []string) error {
		if err := errors.Join(exclusive(cmd, "membership", append(configFlags, "model")...),
			exclusive(cmd, "model", configFlags...)); err != nil {
			return err
		}
		return v.run(cmd)
	})
	v.config.Add(cmd.Flags())
	cmd.Flags().StringSliceVar(&v.shapes, "membership", nil, "check only these `shapes` (default: all)")
	addModel(cmd, &v.model)
	addMember(cmd, &v.member)
	addTable(cmd, &v.data, &v.delimiter, "a table with the model's features and target")
	cmd.Flags().Uint64Var(&v.seed, "seed", 1, "seed of the drawn rules and samples")
	addJSON(cmd, &v.asJSON, "print one JSON object")
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
	if err := printed(cmd, v.asJSON, r, text.WriteVerification); err != nil {
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
		m, err := loadRules(v.model, v.member)
		if err != nil {
			return nil, err
		}
		how := data.Options{Delimiter: v.delimiter, Lenient: true}
		return prediction.Verify(cmd.Context(), cmd.ErrOrStderr(), m, v.data, how, rng)
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
