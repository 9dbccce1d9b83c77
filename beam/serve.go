package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/worker"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

const prismHelp = `Serve Prism, Beam's runner for one machine, until SIGINT or SIGTERM. Commands with --runner prism --endpoint HOST:PORT send their
jobs to it; without --endpoint they have a Prism of their own, so that few users need this.

Prism accepts jobs, which are programs, from whoever reaches its port, on all addresses of the machine: serve it in networks that you
trust only.`

func newPrism() *cobra.Command {
	var port, web int
	var verbose bool
	cmd := &cobra.Command{
		Use:     "prism",
		Short:   "Serve Prism, the runner for one machine",
		Long:    prismHelp,
		Example: `  tskgraph-beam prism --port 8073 --web-port 8074`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			logTo(verbose)
			for _, p := range []int{port, web} { // Prism panics or is silent if it cannot listen
				if err := free(p); err != nil {
					return err
				}
			}
			client, err := prism.CreateJobServer(cmd.Context(), prism.Options{Port: port})
			if err != nil {
				return err
			}
			said := fmt.Sprintf("Prism serves at localhost:%d", port)
			if web > 0 {
				if err := prism.CreateWebServer(cmd.Context(), client, prism.Options{Port: web}); err != nil {
					return err
				}
				said += fmt.Sprintf(", and shows its jobs at http://localhost:%d", web)
			}
			fmt.Fprintln(cmd.ErrOrStderr(), said)
			<-cmd.Context().Done()
			return nil
		},
	}
	cmd.Flags().IntVar(&port, "port", 8073, "`port` for jobs")
	cmd.Flags().IntVar(&web, "web-port", 0, "`port` for browsers (default: none)")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "log what the runner and the workers do")
	return cmd
}

// free returns an error if a port is in use. Port 0 stands for none.
func free(port int) error {
	listener, err := net.Listen("tcp", fmt.Sprint(":", port))
	if err != nil {
		return message.Usagef("port %d: %w: choose another", port, err)
	}
	return listener.Close()
}

// logTo sends the log of Beam's SDK to standard error, or nowhere.
func logTo(verbose bool) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	if verbose {
		slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	}
}

const workerHelp = `Start worker processes for runners that ask for them, until SIGINT or SIGTERM: a pool for jobs with --environment_type EXTERNAL
--environment_config HOST:PORT. The runner must reach this address, and the workers the addresses that the runner gives them.

A pool works for whoever reaches its port. Listen on localhost, beside each worker of the runner, or in networks that you trust.`

func newWorker() *cobra.Command {
	var listen string
	var processes int
	cmd := &cobra.Command{
		Use:     "worker",
		Short:   "Start worker processes for a runner",
		Long:    workerHelp,
		Example: `  tskgraph-beam worker --listen localhost:50000 --processes 2`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if processes < 1 {
				return message.Usagef("--processes %d: want 1 or more", processes)
			}
			pool, err := worker.Listen(listen, processes, cmd.ErrOrStderr())
			if err != nil {
				return message.Usagef("--listen %s: %w", listen, err)
			}
			defer pool.Close()
			fmt.Fprintf(cmd.ErrOrStderr(), "workers start at %s\n", pool.Address())
			<-cmd.Context().Done()
			return nil
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "localhost:50000", "`address` at which runners ask for workers")
	cmd.Flags().IntVar(&processes, "processes", 1, "`processes` that the processors of this machine are for; more may be asked for")
	return cmd
}

const runnersHelp = `--runner prism          this machine; --processes N works with N worker processes
--runner flink          --endpoint HOST:8099, the job server of a cluster of Flink
--runner spark          --endpoint HOST:8099, the job server of a cluster of Spark
--runner dataflow       --project P --region R --staging_location gs://BUCKET/DIRECTORY
--runner universal      --endpoint HOST:PORT, any other job server of Beam

Workers on other machines run this program: job servers get it from the command (--worker_binary names another), pools of
tskgraph-beam worker have it (--environment_type EXTERNAL --environment_config HOST:PORT), and so do commands that a runner starts
(--environment_type PROCESS --environment_config '{"command": "/path/of/tskgraph-beam"}'). They read and write gs:// and s3://. A job
server on this machine (--endpoint localhost:8099) may have paths of this machine, too.

All flags of Beam's SDK:
`

// newRunners is a topic of help.
func newRunners() *cobra.Command {
	return &cobra.Command{
		Use:   "runners",
		Short: "Runners and their flags",
		Long:  runnersHelp + strings.TrimRight(cluster.SDKFlags(), "\n"),
	}
}
