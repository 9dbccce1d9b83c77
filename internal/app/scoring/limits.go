package scoring

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limits bound what requests take.
type Limits struct {
	BodyBytes   int64         // of a request
	HeldBytes   int64         // of all bodies that are being read or answered
	Rows        int           // of a request
	Explained   int           // rows of a request to explain
	Requests    int           // that are answered, or wait for a processor, at a time
	Connections int           // that are open at a time; further ones wait
	HeaderBytes int           // of a request
	Header      time.Duration // to send a header
	Body        time.Duration // to send a body
	Time        time.Duration // to wait for a processor, and to be answered
	Idle        time.Duration // between two requests of a connection
}

// DefaultLimits are those of a server for many small requests.
var DefaultLimits = Limits{BodyBytes: 8 << 20, HeldBytes: 64 << 20, Rows: 10_000, Explained: 100, Requests: 512, Connections: 10_000,
	HeaderBytes: 8 << 10, Header: 5 * time.Second, Body: 10 * time.Second, Time: 10 * time.Second, Idle: time.Minute}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	return Limits{cmp.Or(l.BodyBytes, d.BodyBytes), cmp.Or(l.HeldBytes, d.HeldBytes), cmp.Or(l.Rows, d.Rows),
		cmp.Or(l.Explained, d.Explained), cmp.Or(l.Requests, d.Requests), cmp.Or(l.Connections, d.Connections),
		cmp.Or(l.HeaderBytes, d.HeaderBytes), cmp.Or(l.Header, d.Header), cmp.Or(l.Body, d.Body), cmp.Or(l.Time, d.Time), cmp.Or(l.Idle, d.Idle)}
}

// bounded is a listener with a bound on open connections.
type bounded struct {
	net.Listener
	open  chan struct{}
	count *atomic.Int64
}

func (b *bounded) Accept() (net.Conn, error) {
	b.open <- struct{}{}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.open
		return nil, err
	}
	b.count.Add(1)
	return &connection{Conn: c, closed: sync.OnceFunc(func() { b.count.Add(-1); <-b.open })}, nil
}

// connection is an open connection.
type connection struct {
	net.Conn
	closed func()
}

func (c *connection) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// refused is an error of a request.
type refused struct {
	status  int
	message string
}

func (r *refused) Error() string { return r.message }

func refusal(status int, format string, a ...any) error {
	return &refused{status, fmt.Sprintf(format, a...)}
}

// answer is the answer to a request.
type answer struct {
	http.ResponseWriter
	status int // 0: not written
	rows   int
	body   []byte // of the request, and its memory
	out    []byte // memory of the body of the answer
	held   int64  // bytes of the body that count in Server.held
	whole  bool   // the body was read
}

func (a *answer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// send answers with a body of a content type.
func (a *answer) send(status int, kind string, body []byte) error {
	a.Header().Set("Content-Type", kind)
	a.Header().Set("Content-Length", strconv.Itoa(len(body)))
	a.WriteHeader(status)
	_, _ = a.Write(body) // a client that has gone
	return nil
}

const jsonType = "application/json"

// answers lends memory.
var answers = sync.Pool{New: func() any { return &answer{body: make([]byte, 0, baseBytes)} }}

const (
	baseBytes = 1 << 10   // of a body that is not counted
	keptBytes = 512 << 10 // of memory that is kept for another request
)

// guard admits requests to a route: of the right method, for this server, by those who have a token.
func (s *Server) guard(of int, r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		began := time.Now()
		a := answers.Get().(*answer)
		a.ResponseWriter, a.status, a.rows, a.whole = w, 0, 0, q.ContentLength == 0
		s.metrics.current.Add(1)
		defer func() {
			if fault := recover(); fault != nil {
				s.log.Error("a request failed", "path", r.path, "stack", string(debug.Stack()))
				if a.status == 0 {
					a.refuse(refusal(http.StatusInternalServerError, "internal error"))
				}
			}
			s.metrics.current.Add(-1)
			took := time.Since(began)
			s.metrics.routes[of].add(a.status, took)
			if s.options.Verbose {
				s.log.Info("request", "method", q.Method, "path", r.path, "status", a.status, "rows", a.rows, "seconds", took.Seconds(),
					"from", q.RemoteAddr)
			}
			if s.held.Add(-a.held); max(cap(a.body), cap(a.out)) <= keptBytes {
				a.ResponseWriter, a.held, a.body, a.out = nil, 0, a.body[:0], a.out[:0]
				answers.Put(a)
			}
		}()
		err := s.admit(r, q)
		if err == nil {
			err = r.answer(s, a, q)
		}
		if err != nil {
			s.refuse(a, r.path, err)
		}
	})
}

// refuse answers with an error in the form of the protocol.
func (s *Server) refuse(a *answer, path string, err error) {
	var known *refused
	switch {
	case errors.As(err, &known):
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		err = refusal(http.StatusServiceUnavailable, "not answered within %v", s.limits.Time)
	default:
		s.log.Error("a request failed", "path", path, "error", err.Error())
		err = refusal(http.StatusInternalServerError, "internal error")
	}
	a.refuse(err)
}

func (a *answer) refuse(err error) {
	fault := err.(*refused)
	h := a.Header()
	switch fault.status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	}
	if !a.whole {
		h.Set("Connection", "close")
	}
	_ = a.send(fault.status, jsonType, []byte(`{"error":`+quoted(fault.message)+"}\n"))
}

// admit refuses requests that are not for the server.
func (s *Server) admit(r route, q *http.Request) error {
	tokens := *s.tokens.Load()
	switch {
	case len(tokens) > 0 && !r.open && !authorised(tokens, q.Header.Get("Authorization")):
		return refusal(http.StatusUnauthorized, "send a token: Authorization: Bearer TOKEN")
	case len(tokens) == 0 && s.local && !localName(q.Host): // of a site that has bound its name to this machine (DNS rebinding)
		return refusal(http.StatusMisdirectedRequest, "%.100q is not the address of this server", q.Host)
	case r.method != "" && q.Method != r.method && (r.method != http.MethodGet || q.Method != http.MethodHead):
		return refusal(http.StatusMethodNotAllowed, "%.20q is not the method of %s: want %s", q.Method, r.path, r.method)
	}
	return nil
}

// authorised compares in a time that does not depend on the tokens.
func authorised(tokens [][sha256.Size]byte, header string) bool {
	scheme, token, _ := strings.Cut(header, " ")
	sum, found := sha256.Sum256([]byte(strings.TrimSpace(token))), 0
	for _, t := range tokens {
		found |= subtle.ConstantTimeCompare(sum[:], t[:])
	}
	return found == 1 && strings.EqualFold(scheme, "Bearer")
}

// localName reports whether a host is localhost or an address.
func localName(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	_, err = netip.ParseAddr(name)
	return err == nil || strings.EqualFold(name, "localhost")
}

// read reads the body of a request, of one of the content types. Its memory is the answer's.
func (s *Server) read(a *answer, q *http.Request, kinds ...string) (body []byte, kind string, err error) {
	kind, _, _ = mime.ParseMediaType(q.Header.Get("Content-Type"))
	if kind != kinds[0] && kind != kinds[len(kinds)-1] {
		return nil, "", refusal(http.StatusUnsupportedMediaType, "Content-Type: want %s", strings.Join(kinds, " or "))
	}
	if q.ContentLength > s.limits.BodyBytes {
		return nil, "", s.tooLarge()
	}
	if a.held = int64(cap(a.body) - baseBytes); s.held.Add(a.held) > s.limits.HeldBytes {
		return nil, "", busy()
	}
	in := http.MaxBytesReader(a.ResponseWriter, q.Body, s.limits.BodyBytes)
	for {
		if len(a.body) == cap(a.body) {
			if err := s.grow(a); err != nil {
				return nil, "", err
			}
		}
		n, err := in.Read(a.body[len(a.body):cap(a.body)])
		a.body = a.body[:len(a.body)+n]
		var large *http.MaxBytesError
		switch {
		case err == io.EOF:
			a.whole = true
			return a.body, kind, nil
		case errors.As(err, &large):
			return nil, "", s.tooLarge()
		case err != nil:
			return nil, "", refusal(http.StatusRequestTimeout, "the body is incomplete, or was not sent within %v", s.limits.Body)
		}
	}
}

func (s *Server) tooLarge() error {
	return refusal(http.StatusRequestEntityTooLarge, "the body has more than %d bytes: divide the request", s.limits.BodyBytes)
}

// grow doubles the memory of a body, as far as all together may have it.
func (s *Server) grow(a *answer) error {
	more := int64(cap(a.body))
	a.held += more
	if s.held.Add(more) > s.limits.HeldBytes {
		return busy()
	}
	a.body = append(make([]byte, 0, 2*more), a.body...)
	return nil
}

func busy() error {
	return refusal(http.StatusTooManyRequests, "the server is busy: try again in a second")
}

// enter waits for a processor; leave gives it to the next. The context ends with the time of the request.
func (s *Server) enter(q *http.Request) (ctx context.Context, leave func(), err error) {
	select {
	case s.slots <- struct{}{}:
	default:
		return nil, nil, busy()
	}
	ctx, cancel := context.WithTimeout(q.Context(), s.limits.Time)
	select {
	case s.work <- struct{}{}:
		return ctx, func() { cancel(); <-s.work; <-s.slots }, nil
	case <-ctx.Done():
		cancel()
		<-s.slots
		return nil, nil, ctx.Err()
	}
}
