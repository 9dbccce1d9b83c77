package cli

import (
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
)

// helpTemplate shows examples first, then usage and description.
const helpTemplate = `{{.Short}}.

{{if .HasExample}}Examples:
{{.Example}}

{{end}}Usage:{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]{{else}}
  {{.UseLine}}{{end}}
{{with .Long}}
{{. | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}}  {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
Run {{.CommandPath}} [command] --help for details of a command.
{{end}}`

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Show the help of a command",
		Example: `  tskgraph help plot surface`,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return message.Usage(err)
			}
			if err := noArgs(about, rest); err != nil {
				return err
			}
			return about.Help()
		},
	}
}
