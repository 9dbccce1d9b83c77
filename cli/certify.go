package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

func newCertify() *cobra.Command {
	var c certifying
	cmd := described("certify", oneRun, func(cmd *cobra.Command, args []string) (err error) {
		if len(args) == 0 && c.model == "" && c.check != "" {
			c.model = filepath.Dir(c.check)
		} else if c.model, err = namedModel(cmd, args, c.model); err != nil {
			return err
		}
		if err := exclusive(cmd, "check", "out", "margin", "budget"); err != nil {
			return err
		}
		return c.run(cmd)
	})
	addModel(cmd, &c.model)
	cmd.Flags().Float64Var(&c.margin, "margin", 0, "`share` of its range by which each column of numbers is widened on both sides")
	cmd.Flags().DurationVar(&c.budget, "budget", time.Minute, "how `long` to try; what is not proved by then is open")
	cmd.Flags().StringVarP(&c.out, "out", "o", "", "the `file` to write (default: certificate.json beside the model)")
	cmd.Flags().StringVar(&c.check, "check", "", "check this certificate `file` instead of writing one; without a run, of the model beside it")
	addJSON(cmd, &c.asJSON, "print the claims as one JSON object")
	return cmd
}

// certifying is one `certify` command.
type certifying struct {
	model, out, check string
	margin            float64
	budget            time.Duration
	asJSON            bool
}

func (c *certifying) run(cmd *cobra.Command) error {
	m, err := model.Load(c.model)
	if err != nil {
		return err
	}
	if c.check != "" {
		return c.checked(cmd, m)
	}
	made, err := c.prove(cmd.Context(), m)
	if err != nil {
		return err
	}
	to := output{path: c.out, reads: modelFiles(c.model)}
	if c.out == "" {
		to.path, to.chosen = filepath.Join(filepath.Dir(c.model), certify.FileName), true
		if info, err := os.Stat(c.model); err == nil && info.IsDir() {
			to.path = filepath.Join(c.model, certify.FileName)
		}
	}
	if to.path == "-" && c.asJSON {
		return message.Usagef("--json needs --out FILE: standard output is used for the certificate")
	}
	if err := to.write(cmd, func(w io.Writer) error { return made.Encode(w) }); err != nil {
		return err
	}
	if to.path != "-" {
		if err := c.print(cmd, made); err != nil {
			return err
		}
	}
	return made.Broken()
}

// prove makes a certificate within the budget.
func (c *certifying) prove(ctx context.Context, m *model.Model) (*certify.Certificate, error) {
	if c.budget <= 0 {
		return nil, message.Usagef("--budget %v: want a duration above zero, such as 60s", c.budget)
	}
	promises, err := certify.Promises(m)
	if err != nil {
		return nil, err
	}
	limited, stop := context.WithTimeout(ctx, c.budget)
	defer stop()
	made, err := certify.Prove(limited, m, certify.Options{Margin: c.margin, Promises: promises})
	if errors.Is(err, certify.ErrOption) {
		return nil, message.Usagef("--margin: %w", err)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("certify: interrupted: %w", ctx.Err())
	}
	return made, err
}

// checked checks a certificate of a model.
func (c *certifying) checked(cmd *cobra.Command, m *model.Model) error {
	f, err := os.Open(c.check)
	if err != nil {
		return fmt.Errorf("certify: %w", err)
	}
	defer f.Close()
	made, err := certify.Decode(f)
	if err == nil {
		err = made.Check(m)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.check, err)
	}
	return c.print(cmd, made)
}

func (c *certifying) print(cmd *cobra.Command, made *certify.Certificate) error {
	return printed(cmd, c.asJSON, made.Summary(), text.WriteCertificate)
}
