package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/config"
)

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print or check a configuration, or print its schema",
		Example: `  tskgraph config print --template > config.yaml
  tskgraph config check --config config.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigPrint(), newConfigCheck(), newConfigSchema())
	return cmd
}

func newConfigPrint() *cobra.Command {
	var flags command.Config
	var template, markdown bool
	cmd := &cobra.Command{
		Use:   "print",
		Short: "Print the configuration as resolved: every key that has an effect, with its value",
		Example: `  tskgraph config print --config config.yaml --set train.seed=7
  tskgraph config print --template > config.yaml
  tskgraph config print --markdown > keys.md`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := errors.Join(exclusiveConfig(cmd, "template"), exclusiveConfig(cmd, "markdown"), exclusive(cmd, "markdown", "template"))
			if err != nil {
				return err
			}
			var text []byte
			switch {
			case template:
				text = config.Template()
			case markdown:
				text = config.Reference()
			default:
				c, err := flags.Load()
				if err != nil {
					return err
				}
				text = c.YAML()
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		},
	}
	flags.Add(cmd.Flags())
	cmd.Flags().BoolVar(&template, "template", false, "print a config.yaml with every key as a comment")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print every key with its default and meaning as Markdown")
	return cmd
}

func newConfigCheck() *cobra.Command {
	var flags command.Config
	cmd := &cobra.Command{
		Use:     "check",
		Short:   "Check a configuration without reading data",
		Example: `  tskgraph config check --config config.yaml`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := flags.Load(); err != nil {
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "ok")
			return err
		},
	}
	flags.Add(cmd.Flags())
	return cmd
}

func newConfigSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of config.yaml, with which editors check and complete it",
		Example: `  tskgraph config schema > tskgraph.schema.json
  # and as the first line of config.yaml: # yaml-language-server: $schema=tskgraph.schema.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(config.Schema())
			return err
		},
	}
}
