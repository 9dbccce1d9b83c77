// Package scoring serves models over HTTP: by the Open Inference Protocol 2, and by a plain form for people.
//
//	s, err := scoring.New(ctx, sources, scoring.Options{...})
//	err = s.Serve(ctx, listener)
//
// A request is answered by the models that were served when it arrived, even if they are exchanged meanwhile. Predictions have the bits of
// [model.Model.Predict]. What a request takes is bounded by [Limits].
package scoring

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/model"
)

// Options are how models are served.
type Options struct {
	Version string        // of the program
	Level   float64       // of intervals and sets; models without a calibration have none
	Limits  Limits        // zero fields: DefaultLimits
	Tokens  string        // the file of tokens, a line each; empty: nobody needs one
	Window  int           // the number of last rows that are compared with those of training; 0: none
	Watch   time.Duration // between two looks at the files of the models; 0: none
	Log     *slog.Logger
	Verbose bool // log each request

	// Describe describes the rules of a model at a path; Viewer returns a page on it, nil where there is none to show.
	Describe func(ctx context.Context, m *model.Model, path string) (words.Description, error)
	Viewer   func(ctx context.Context, m *model.Model, path string) ([]byte, error)
}

// Server serves models.
type Server struct {
	options Options
	limits  Limits
	log     *slog.Logger
	metrics metrics

	models  atomic.Pointer[[]*served] // in the order of their sources
	loading sync.Mutex
	failed  map[Source][]os.FileInfo // the files of those that could not be reloaded

	tokens atomic.Pointer[[][sha256.Size]byte] // sums; none: nobody needs one
	ready  atomic.Bool

	slots chan struct{} // requests that are answered, or wait for a processor
	work  chan struct{} // requests that use a processor
	held  atomic.Int64  // bytes of bodies

	local bool // only this machine can connect
}

// New loads models, and tests them.
func New(ctx context.Context, sources []Source, o Options) (*Server, error) {
	s := &Server{options: o, limits: o.Limits.orDefault(), log: o.Log, failed: map[Source][]os.FileInfo{}}
	s.slots, s.work = make(chan struct{}, s.limits.Requests), make(chan struct{}, runtime.GOMAXPROCS(0))
	if err := s.readTokens(); err != nil {
		return nil, err
	}
	var all []*served
	for i, src := range sources {
		for _, other := range sources[:i] {
			if other.Name == src.Name && other.Version == src.Version {
				return nil, fmt.Errorf("two models have the name %s and the version %s: give one another, NAME:VERSION=PATH", src.Name, src.Version)
			}
		}
		m, err := s.load(ctx, src)
		if err != nil {
			return nil, err
		}
		m.counts = &counts{}
		all = append(all, m)
		s.log.Info("model loaded", m.attributes()...)
	}
	s.models.Store(&all)
	s.ready.Store(true)
	return s, nil
}

// readTokens reads the file of tokens.
func (s *Server) readTokens() error {
	var sums [][sha256.Size]byte
	if s.options.Tokens != "" {
		f, err := os.Open(s.options.Tokens)
		if err != nil {
			return err
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, 1<<20))
		if err != nil {
			return err
		}
		for _, token := range strings.Fields(string(text)) {
			sums = append(sums, sha256.Sum256([]byte(token)))
		}
		if sums == nil {
			return fmt.Errorf("%s: no token: write one, of at least 16 random characters, in a line", s.options.Tokens)
		}
	}
	s.tokens.Store(&sums)
	return nil
}

// Refresh reads the tokens and all models again, as after a signal.
func (s *Server) Refresh(ctx context.Context) {
	if err := s.readTokens(); err != nil {
		s.log.Error("tokens not read again", "error", err.Error())
	}
	s.Reload(ctx, true)
}

// Serve answers requests until the context ends. Then it is not ready, waits until those that have arrived are answered, for at most the
// time that a request may take, and returns nil.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if tcp, ok := l.Addr().(*net.TCPAddr); ok {
		s.local = tcp.IP.IsLoopback()
	}
	h := &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: s.limits.Header,
		ReadTimeout:       s.limits.Header + s.limits.Body,
		WriteTimeout:      s.limits.Header + s.limits.Body + 2*s.limits.Time,
		IdleTimeout:       s.limits.Idle,
		MaxHeaderBytes:    s.limits.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // what clients do wrong
		Protocols:         new(http.Protocols),
	}
	h.Protocols.SetHTTP1(true)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go s.watch(watching)
	served := make(chan error, 1)
	go func() {
		served <- h.Serve(&bounded{Listener: l, open: make(chan struct{}, s.limits.Connections), count: &s.metrics.connections})
	}()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.ready.Store(false)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.Header+s.limits.Body+s.limits.Time)
	defer cancel()
	err := h.Shutdown(ending)
	s.log.Info("ended", "answered", err == nil)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close()
	}
	return err
}

// watch reloads models whose files change.
func (s *Server) watch(ctx context.Context) {
	if s.options.Watch <= 0 {
		return
	}
	for tick := time.NewTicker(s.options.Watch); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			s.Reload(ctx, false)
		}
	}
}

// routes leads requests to their answers.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for i, r := range routes {
		s.metrics.routes = append(s.metrics.routes, routeMetrics{name: r.path})
		mux.Handle(r.path, s.guard(i, r))
	}
	return mux
}

// route is an address, and what answers it.
type route struct {
	path   string
	method string
	open   bool // needs no token
	answer func(s *Server, w *answer, r *http.Request) error
}

// routes are all addresses. The last answers those that there are not.
var routes []route

func init() { // since answers name the routes
	routes = []route{
		{"/predict", "POST", false, (*Server).predict},
		{"/v2/models/{name}/infer", "POST", false, (*Server).infer},
		{"/v2/models/{name}/versions/{version}/infer", "POST", false, (*Server).infer},
		{"/v2/models/{name}", "GET", false, (*Server).metadata},
		{"/v2/models/{name}/versions/{version}", "GET", false, (*Server).metadata},
		{"/v2/models/{name}/ready", "GET", false, (*Server).modelReady},
		{"/v2/models/{name}/versions/{version}/ready", "GET", false, (*Server).modelReady},
		{"/v2", "GET", false, (*Server).about},
		{"/v2/health/live", "GET", true, (*Server).live},
		{"/v2/health/ready", "GET", true, (*Server).isReady},
		{"/explain", "POST", false, (*Server).explain},
		{"/rules", "GET", false, (*Server).rules},
		{"/drift", "GET", false, (*Server).drift},
		{"/openapi.json", "GET", false, (*Server).openAPI},
		{"/metrics", "GET", false, (*Server).writeMetrics},
		{"/{$}", "GET", false, (*Server).viewer},
		{"/", "", false, (*Server).nothing},
	}
}
