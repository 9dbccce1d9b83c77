// Package filestest has object stores for tests: gs:// and s3:// of a process are servers in this process.
package filestest

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Bucket is the bucket of both stores: gs://bucket and s3://bucket.
const Bucket = "bucket"

// Schemes are those of the stores.
var Schemes = []string{"gs", "s3"}

// Stores are the stores of a process.
type Stores struct {
	Sent  atomic.Int64 // bytes of objects that were read
	Break atomic.Int64 // bytes after which the next answer breaks, if positive
	Fail  atomic.Int64 // requests to refuse with 503

	servers []*httptest.Server
}

// Start starts the stores and points the clients of this process and of its children to them. It is for TestMain, since
// clients read the environment once.
func Start() (*Stores, error) {
	s := &Stores{}
	slog.SetLogLoggerLevel(slog.LevelError)
	var gcs http.Handler
	g := httptest.NewServer(s.watch(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { gcs.ServeHTTP(w, r) })))
	s.servers = append(s.servers, g)
	host := strings.TrimPrefix(g.URL, "http://")
	fake, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, ExternalURL: g.URL, PublicHost: host, Scheme: "http"})
	if err != nil {
		return nil, err
	}
	fake.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: Bucket})
	gcs = fake.HTTPHandler()

	memory := s3mem.New()
	if err := memory.CreateBucket(Bucket); err != nil {
		return nil, err
	}
	a := httptest.NewServer(s.watch(gofakes3.New(memory).Server()))
	s.servers = append(s.servers, a)
	for key, value := range map[string]string{
		"STORAGE_EMULATOR_HOST": g.URL, "AWS_ENDPOINT_URL": a.URL, "AWS_REGION": "us-east-1",
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true",
	} {
		if err := os.Setenv(key, value); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Close ends the stores.
func (s *Stores) Close() {
	for _, server := range s.servers {
		server.Close()
	}
}

// watch counts what a store sends, and injects faults.
func (s *Stores) watch(store http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Fail.Load() > 0 {
			s.Fail.Add(-1)
			http.Error(w, fmt.Sprintf("refused %s", r.URL.Path), http.StatusServiceUnavailable)
			return
		}
		if r.Method == http.MethodGet {
			w = &watched{ResponseWriter: w, s: s}
		}
		store.ServeHTTP(w, r)
	})
}

// watched is an answer that may break.
type watched struct {
	http.ResponseWriter
	s *Stores
}

func (w *watched) Write(p []byte) (int, error) {
	if after := w.s.Break.Load(); after > 0 && int64(len(p)) > after {
		w.s.Break.Store(0)
		n, _ := w.ResponseWriter.Write(p[:after])
		w.s.Sent.Add(int64(n))
		http.NewResponseController(w.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	n, err := w.ResponseWriter.Write(p)
	w.s.Sent.Add(int64(n))
	return n, err
}
