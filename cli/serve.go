package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/scoring"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

func newServe() *cobra.Command {
	s := serving{options: scoring.Options{Version: tskgraph.Version, Limits: scoring.DefaultLimits}}
	cmd := described("serve", func(*cobra.Command, []string) error { return nil }, func(cmd *cobra.Command, args []string) error {
		if s.check != "" && len(args) > 0 {
			return message.Usagef("--check asks a server that runs: name no models")
		}
		if s.check != "" {
			return s.probe(cmd)
		}
		return s.run(cmd, args)
	})
	f, l := cmd.Flags(), &s.options.Limits
	f.StringVar(&s.listen, "listen", "127.0.0.1:8080", "`address` and port; port 0 is a free one")
	f.StringVar(&s.options.Tokens, "token-file", "", "`file` of tokens, a line each, of which requests need one")
	f.StringVar(&s.cert, "tls-cert", "", "`file` of the certificate, PEM; with --check, the one to trust")
	f.StringVar(&s.key, "tls-key", "", "`file` of its key, PEM")
	f.Float64Var(&s.options.Level, "interval", words.UsualLevel, "`level` of the intervals or sets of calibrated models")
	f.DurationVar(&s.options.Watch, "poll", 2*time.Second, "`time` between two looks for changed models; 0: reload on SIGHUP alone")
	f.IntVar(&s.options.Window, "window", 10_000, "`number` of last rows that /drift compares with the training part; 0: none")
	f.Int64Var(&l.BodyBytes, "max-body", l.BodyBytes, "largest `bytes` of a request")
	f.IntVar(&l.Rows, "max-rows", l.Rows, "largest `number` of rows of a request")
	f.IntVar(&l.Requests, "max-requests", l.Requests, "largest `number` of requests at a time; further ones get 429")
	f.IntVar(&l.Connections, "max-connections", l.Connections, "largest `number` of connections at a time; further ones wait")
	f.DurationVar(&l.Time, "timeout", l.Time, "longest `time` of a request")
	f.StringVar(&s.check, "check", "", "ask the server at this `URL` whether it is ready, and exit with 0 if it is")
	return cmd
}

// serving is one `serve` command.
type serving struct {
	listen, cert, key, check string
	options                  scoring.Options
	pair                     atomic.Pointer[tls.Certificate]
}

func (s *serving) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return message.Usagef("name the models: tskgraph serve RUN_DIR... (see %s --help)", cmd.CommandPath())
	}
	var sources []scoring.Source
	for _, arg := range args {
		src, err := scoring.ParseSource(arg)
		if err != nil {
			return message.Usage(err)
		}
		sources = append(sources, src)
	}
	l := s.options.Limits
	if !(s.options.Level > 0 && s.options.Level < 1) || l.BodyBytes < 1 || l.Rows < 1 || l.Requests < 1 || l.Connections < 1 ||
		l.Time <= 0 || s.options.Watch < 0 || s.options.Window < 0 {
		return message.Usagef("--interval lies between 0 and 1, limits are at least 1, and times above 0")
	}
	if (s.cert == "") != (s.key == "") {
		return message.Usagef("--tls-cert and --tls-key need each other")
	}
	stderr := cmd.ErrOrStderr()
	s.options.Log = slog.New(slog.NewJSONHandler(stderr, nil))
	_, s.options.Verbose = stderr.(*logger)
	s.options.Describe = func(ctx context.Context, m *model.Model, path string) (words.Description, error) {
		return prediction.Describe(ctx, stderr, m, prediction.Saved{Path: path})
	}
	s.options.Viewer = view
	server, err := scoring.New(cmd.Context(), sources, s.options)
	if errors.Is(err, os.ErrNotExist) && !errors.Is(err, model.ErrFile) {
		err = message.Usage(err)
	}
	if err != nil {
		return err
	}
	listener, url, err := s.open(cmd)
	if err != nil {
		return err
	}
	boundHeap()
	defer saving()() // until Serve has answered what has arrived
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	go func() {
		for range hangups {
			if err := s.readPair(); err != nil {
				s.options.Log.Error("certificate not read again", "error", err.Error())
			}
			server.Refresh(cmd.Context())
		}
	}()
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), url); err != nil {
		return errors.Join(err, listener.Close())
	}
	return server.Serve(cmd.Context(), listener)
}

// heapRoom is how much the heap grows above what the models take before garbage is collected more often, unless GOMEMLIMIT says otherwise.
const heapRoom = 128 << 20

// boundHeap gives back what loading took, and bounds the heap: by default it doubles, whatever many connections take.
func boundHeap() {
	debug.FreeOSMemory()
	if os.Getenv("GOMEMLIMIT") == "" {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		debug.SetMemoryLimit(int64(now.HeapAlloc) + heapRoom)
	}
}

// open listens, and says loudly whom it lets in.
func (s *serving) open(cmd *cobra.Command) (l net.Listener, url string, err error) {
	if err := s.readPair(); err != nil {
		return nil, "", message.Usagef("--tls-cert: %w", err)
	}
	if l, err = net.Listen("tcp", s.listen); err != nil {
		return nil, "", message.Usagef("--listen: %w", err)
	}
	tcp := l.Addr().(*net.TCPAddr)
	if !tcp.IP.IsLoopback() {
		open := ""
		if s.options.Tokens == "" {
			open += ", without a token (--token-file)"
		}
		if s.cert == "" {
			open += ", unencrypted (--tls-cert)"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "WARNING: %s answers other machines%s\n", l.Addr(), open)
	}
	if s.cert == "" {
		return l, "http://" + l.Addr().String(), nil
	}
	how := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.pair.Load(), nil }}
	return tls.NewListener(l, how), "https://" + l.Addr().String(), nil
}

// readPair reads the certificate and its key, if there are any.
func (s *serving) readPair() error {
	if s.cert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err == nil {
		s.pair.Store(&pair)
	}
	return err
}

// view returns the report on a model, without tables nil.
func view(ctx context.Context, m *model.Model, path string) ([]byte, error) {
	var notes, b bytes.Buffer
	tables := prediction.Tables{Notes: &notes, Options: data.Options{Delimiter: "auto", Lenient: true}}
	in, err := tables.Page(ctx, m, path, "")
	if errors.Is(err, prediction.ErrNoTables) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := page.New(in)
	if err != nil {
		return nil, err
	}
	err = p.Write(&b)
	return b.Bytes(), err
}

// probeWithin is how long --check waits.
const probeWithin = 3 * time.Second

// probe asks a server whether it is ready. It writes the request to a connection of its own: a client of net/http would make the program
// larger.
func (s *serving) probe(cmd *cobra.Command) error {
	ctx, cancel := context.WithTimeout(cmd.Context(), probeWithin)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, s.check+"/v2/health/ready", nil)
	if err == nil && (q.URL.Host == "" || q.URL.Scheme != "http" && q.URL.Scheme != "https") {
		err = fmt.Errorf("%s: want an address such as http://127.0.0.1:8080", escape.Text(s.check))
	}
	if err != nil {
		return message.Usagef("--check: %w", err)
	}
	roots, err := s.roots()
	if err != nil {
		return message.Usagef("--tls-cert: %w", err)
	}
	dial := (&net.Dialer{}).DialContext
	if q.URL.Scheme == "https" {
		dial = (&tls.Dialer{Config: &tls.Config{RootCAs: roots}}).DialContext
	}
	conn, err := dial(ctx, "tcp", net.JoinHostPort(q.URL.Hostname(), cmp.Or(q.URL.Port(), q.URL.Scheme)))
	if err != nil {
		return err
	}
	defer conn.Close()
	end, _ := ctx.Deadline()
	if err := errors.Join(conn.SetDeadline(end), q.Write(conn)); err != nil {
		return err
	}
	r, err := http.ReadResponse(bufio.NewReader(conn), q)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is not ready: %s", escape.Text(s.check), escape.Text(r.Status))
	}
	return nil
}

// roots returns the certificates that --check trusts: those of --tls-cert, or nil, the system's.
func (s *serving) roots() (*x509.CertPool, error) {
	if s.cert == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(s.cert)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	return roots, nil
}
