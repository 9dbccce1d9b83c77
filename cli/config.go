package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/config"
)

func newConfig() *cobra.Command {
	cmd := described("config", noArgs, withHelp)
	cmd.AddCommand(newConfigPrint(), newConfigCheck(), newConfigSchema())
	return cmd
}

func newConfigPrint() *cobra.Command {
	var flags command.Config
	var template, markdown bool
	cmd := described("config print", noArgs, func(cmd *cobra.Command, _ []string) error {
		err := errors.Join(exclusive(cmd, "template", configFlags...), exclusive(cmd, "markdown", append(configFlags, "template")...))
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
	})
	flags.Add(cmd.Flags())
	cmd.Flags().BoolVar(&template, "template", false, "print a config.yaml with every key as a comment")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print every key with its default and meaning as Markdown")
	return cmd
}

func newConfigCheck() *cobra.Command {
	var flags command.Config
	cmd := described("config check", noArgs, func(cmd *cobra.Command, _ []string) error {
		if _, err := flags.Load(); err != nil {
			return err
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), "ok")
		return err
	})
	flags.Add(cmd.Flags())
	return cmd
}

func newConfigSchema() *cobra.Command {
	return described("config schema", noArgs, func(cmd *cobra.Command, _ []string) error {
		_, err := cmd.OutOrStdout().Write(config.Schema())
		return err
	})
}
