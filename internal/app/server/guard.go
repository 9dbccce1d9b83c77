package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Policies of the content. The page runs its own scripts and connects to this server alone; the frame, which shows reports, runs what is
// written into it, with an origin of its own, and connects to nothing.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; connect-src 'self'; frame-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	framePolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
)

// guard refuses requests that do not come from the page:
//
//   - Host names this machine and the port, or a name that another site has bound to 127.0.0.1 would reach us (DNS rebinding).
//   - The path begins with the token, which other users of this machine do not know.
//   - Origin, if any, is that of the page, and so is Sec-Fetch-Site. Only the page itself may be opened from elsewhere, such as
//     from a file, by whoever knows the token.
//   - Requests that do something have a header that no other site can send without asking first, and asking (OPTIONS) is refused.
type guard struct {
	token string
	hosts []string // with the port
}

// before passes on the requests of the page, with the path that follows the token.
func (g *guard) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		token, path, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case !slices.Contains(g.hosts, r.Host):
			refuse(w, http.StatusMisdirectedRequest, "this is not the address of the workbench")
		case !same(token, g.token):
			refuse(w, http.StatusForbidden, "open the address that tskgraph workbench prints")
		case !ours(r, path):
			refuse(w, http.StatusForbidden, "another site may not use the workbench")
		case !found:
			http.Redirect(w, r, "/"+token+"/", http.StatusPermanentRedirect)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Header.Get(callHeader) == "":
			refuse(w, http.StatusForbidden, "the header "+callHeader+" is missing")
		default:
			below := r.Clone(r.Context())
			below.URL.Path, below.URL.RawPath = "/"+path, ""
			next.ServeHTTP(w, below)
		}
	})
}

// harden sets the headers of every answer.
func harden(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

// same compares two words in a time that does not depend on where they differ.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// ours reports whether a browser may send a request for the page: by the page, or to open it.
func ours(r *http.Request, path string) bool {
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host {
			return false
		}
	}
	sites := r.Header.Values("Sec-Fetch-Site")
	opens := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	switch {
	case len(sites) == 0: // not a browser
		return true
	case len(sites) == 1 && sites[0] == "same-origin":
		return true
	}
	return opens && path == ""
}

// refuse answers with an error, and closes the connection.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Connection", "close")
	http.Error(w, "tskgraph: "+message, status)
}

// Files of the page with a part of their own.
const (
	indexFile = "index.html"
	frameFile = "frame.html"
)

// types are the content types of the page's files: the table of the system is not asked.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".csv": "text/csv; charset=utf-8",
}

// page answers with the files of the page.
type page struct {
	files map[string][]byte
	open  redirection
}

// file answers with a file.
func (p *page) file(w http.ResponseWriter, r *http.Request, name string) {
	text, exists := p.files[name]
	kind := types[path.Ext(name)]
	if !exists || kind == "" {
		http.NotFound(w, r)
		return
	}
	switch name {
	case indexFile:
		p.open.remove()
	case frameFile:
		w.Header().Set("Content-Security-Policy", framePolicy)
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(text)
	}
}
