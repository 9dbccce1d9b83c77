package server

import (
	"net/http"
	"path"
	"strconv"
)

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
