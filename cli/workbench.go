package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/server"
	"github.com/tskgraph/tskgraph/internal/app/workbench"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/web"
)

// uploads is the directory of the tables that are dropped on the page, below that of the runs, which name them.
const uploads = "tables"

func newWorkbench() *cobra.Command {
	var out string
	var noOpen bool
	cmd := described("workbench", func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return message.Usagef("name at most one table: tskgraph workbench [TABLE] (see %s --help)", cmd.CommandPath())
		}
		return nil
	},
		func(cmd *cobra.Command, args []string) error {
			table := strings.Join(args, "")
			if err := checkTable(table); err != nil {
				return err
			}
			return serveWorkbench(cmd, table, out, !noOpen)
		})
	cmd.Flags().StringVarP(&out, "out", "o", "runs", "`directory` of the runs, and of uploaded tables in its tables")
	cmd.Flags().BoolVar(&noOpen, "no-open", false, "print the address alone, and open no browser")
	return cmd
}

// checkTable finds the files of a table; none is no error.
func checkTable(name string) error {
	switch {
	case name == "":
		return nil
	case name == "-":
		return message.Usagef("the workbench reads a table several times: save standard input to a file and name that")
	}
	files, err := table.Files(name)
	if err != nil {
		return err
	}
	for _, file := range files {
		f, err := os.Open(file)
		if errors.Is(err, fs.ErrNotExist) && (strings.Contains(file, "://") || strings.HasPrefix(file, "sqlite:")) {
			return message.Usagef("%s: the workbench reads files: save the rows of a database to one, or use tskgraph init and train",
				escape.Quote(file))
		}
		if err != nil {
			return &data.Error{File: file, Message: strings.TrimPrefix(err.Error(), "open "+file+": ")}
		}
		info, err := f.Stat()
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if info.IsDir() {
			return &data.Error{File: file, Message: "a directory: name a file"}
		}
	}
	return nil
}

// serveWorkbench serves a workbench until the command is interrupted.
func serveWorkbench(cmd *cobra.Command, table, out string, open bool) error {
	page, err := web.Page("server")
	if err != nil {
		return err
	}
	_, missing := os.Lstat(out)
	dir, err := safefile.MakeDir(out)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err := dir.Close(); err != nil {
		return err
	}
	if missing != nil {
		defer os.Remove(out) // which fails unless it is still empty
	}
	bench := workbench.New(workbench.Options{Table: table, Runs: out, Tables: filepath.Join(out, uploads)})
	s, err := server.New(server.Options{Page: page, Bench: bench, Called: reportCalls(cmd, out)})
	if err != nil {
		return err
	}
	defer saving()() // until Serve has stopped a training
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	if _, err = fmt.Fprintln(cmd.OutOrStdout(), s.URL()); err != nil {
		stop() // nobody knows the address
	} else if open {
		openWorkbench(cmd, s, out)
	}
	return errors.Join(err, <-served)
}

// openWorkbench opens the page in the browser, and says what to do.
func openWorkbench(cmd *cobra.Command, s *server.Server, dir string) {
	if err := s.Open(cmd.Context(), dir); err != nil {
		message.Note(cmd.ErrOrStderr(), "no browser was opened: %v; open the address above, on this machine", err)
	}
	message.Note(cmd.ErrOrStderr(), "the address is secret: whoever knows it on this machine can use the workbench; Ctrl-C ends it")
}

// reportCalls returns a function that logs calls of the page under --verbose, and notes a training that an interrupt has ended.
func reportCalls(cmd *cobra.Command, runs string) func(server.Called) {
	l, logs := cmd.ErrOrStderr().(*logger)
	return func(c server.Called) {
		if logs {
			l.Info("called", "method", c.Method, "seconds", c.Took.Seconds(), "exit", exitCode(c.Err))
		}
		if c.Method != "train" || cmd.Context().Err() == nil {
			return
		}
		if c.Err != nil {
			message.Note(cmd.ErrOrStderr(), "%s", escape.Text(c.Err.Error()))
			return
		}
		var trained struct {
			Run     string
			Stopped bool
		}
		if text, err := json.Marshal(c.Result); err == nil && json.Unmarshal(text, &trained) == nil && trained.Stopped {
			path := filepath.Join(runs, trained.Run)
			message.Note(cmd.ErrOrStderr(), "%s: training interrupted; its best model is kept; continue with: %s", path,
				escape.ShellLine("tskgraph", "train", "--resume", path))
		}
	}
}
