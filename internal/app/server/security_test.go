package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// refused checks that a server refuses a request with a status, and that nothing was called or saved.
func refused(t *testing.T, what string, b *bench, r *http.Request, status int) {
	t.Helper()
	answer, text := answered(t, r)
	if answer.StatusCode != status {
		t.Errorf("%s: %s, want %d: %s", what, answer.Status, status, text)
	}
	for name := range answer.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("%s: %s: %s", what, name, answer.Header.Get(name))
		}
	}
	if strings.Contains(text, "result") || strings.Contains(text, "<title>") || len(b.methods()) > 0 || len(b.saved()) > 0 {
		t.Errorf("%s: answered: %s; called %q, saved %q", what, text, b.methods(), b.saved())
	}
}

// each is every kind of request that the page sends.
var each = []struct{ method, path, body string }{
	{"GET", "", ""}, {"GET", "app.js", ""}, {"HEAD", "app.js", ""}, {"POST", "call/echo", "{}"}, {"POST", "stop", `{"id": "x"}`},
	{"PUT", "tables/t.csv", "x,y\n1,2\n"},
}

// TestForeignHost checks that no name but this machine's reaches the workbench, so that a site that binds its name to 127.0.0.1 does not.
func TestForeignHost(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, nil)
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	for _, host := range []string{"evil.example", "evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "localhost", "127.0.0.1." + ":" + port,
		"0.0.0.0:" + port, "[::1]:" + port, "127.1:" + port,
		"localhost.evil.example:" + port, "127.0.0.1.nip.io:" + port, "LOCALHOST:" + port} {
		for _, e := range each {
			r := request(t, s, e.method, e.path, e.body)
			r.Host = host
			if r.Header.Get("Origin") != "" {
				r.Header.Set("Origin", "http://"+host) // its page is of the same origin
			}
			refused(t, host+" "+e.method+" "+e.path, b, r, http.StatusMisdirectedRequest)
		}
	}
	r := request(t, s, "POST", "call/echo", "{}")
	r.Host = "localhost:" + port
	r.Header.Set("Origin", "http://localhost:"+port)
	if _, text := answered(t, r); text != "{\"result\":{}}\n" {
		t.Errorf("localhost: %s", text)
	}
}

// TestForeignOrigin checks that no page of another origin can use the workbench, even if it knows the token.
func TestForeignOrigin(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, nil)
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	for _, origin := range []string{"http://evil.example", "https://127.0.0.1:" + port, "http://127.0.0.1", "http://127.0.0.1:1",
		"http://localhost:" + port, "null", "",
		"http://127.0.0.1:" + port + ".evil.example", "http://evil.example http://127.0.0.1:" + port, "file://"} {
		for _, e := range each {
			r := request(t, s, e.method, e.path, e.body)
			r.Header["Origin"] = []string{origin}
			refused(t, fmt.Sprintf("origin %q %s %s", origin, e.method, e.path), b, r, http.StatusForbidden)
		}
	}
	for _, site := range []string{"cross-site", "same-site", "none", "", "Same-Origin"} {
		for _, e := range each {
			r := request(t, s, e.method, e.path, e.body)
			r.Header["Sec-Fetch-Site"] = []string{site}
			refused(t, fmt.Sprintf("site %q %s %s", site, e.method, e.path), b, r, http.StatusForbidden)
			r = request(t, s, e.method, e.path, e.body)
			r.Header["Sec-Fetch-Site"] = []string{"same-origin", site}
			refused(t, fmt.Sprintf("also site %q %s %s", site, e.method, e.path), b, r, http.StatusForbidden)
		}
		for mode, dest := range map[string]string{"navigate": "iframe", "no-cors": "script", "cors": "document"} {
			r := request(t, s, "GET", "", "")
			r.Header["Sec-Fetch-Site"], r.Header["Sec-Fetch-Mode"], r.Header["Sec-Fetch-Dest"] = []string{site}, []string{mode}, []string{dest}
			refused(t, fmt.Sprintf("site %q, %s of %s", site, mode, dest), b, r, http.StatusForbidden)
		}
	}
}

// TestOpened checks that the page, and nothing else, may be opened from elsewhere.
func TestOpened(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, nil)
	for _, site := range []string{"none", "cross-site"} {
		for _, path := range []string{"", "app.js", "frame.html"} {
			r := request(t, s, "GET", path, "")
			r.Header["Sec-Fetch-Site"], r.Header["Sec-Fetch-Mode"], r.Header["Sec-Fetch-Dest"] = []string{site}, []string{"navigate"},
				[]string{"document"}
			if path != "" {
				refused(t, site+" "+path, b, r, http.StatusForbidden)
			} else if answer, text := answered(t, r); answer.StatusCode != http.StatusOK || !strings.Contains(text, "<title>page") {
				t.Errorf("%s: %s: %s", site, answer.Status, text)
			}
		}
	}
}

// TestToken checks that nobody without the token, such as another user of the machine, gets anything.
func TestToken(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, nil)
	other, _ := started(t, b, nil)
	if len(s.guard.token) != 32 || s.guard.token == other.guard.token {
		t.Errorf("tokens %s and %s", s.guard.token, other.guard.token)
	}
	token := s.guard.token
	wrong := token[:31] + string("0123456789abcdef"[(strings.IndexByte("0123456789abcdef", token[31])+1)%16])
	for _, try := range []string{"", "/", wrong, token[:31], token + "0", token[1:], " " + token, "x/" + token, "/" + token,
		other.guard.token, "%00" + token} {
		for _, e := range each {
			r := request(t, s, e.method, e.path, e.body)
			r.URL.Path = "/" + try + "/" + e.path
			if try == "" {
				r.URL.Path = "/" + e.path
			}
			refused(t, fmt.Sprintf("token %q %s %s", try, e.method, e.path), b, r, http.StatusForbidden)
		}
	}
	r := request(t, s, "GET", "", "")
	r.URL.Path = "/" + token
	if answer, _ := answered(t, r); answer.Header.Get("Location") != "/"+token+"/" {
		t.Errorf("without a slash: %s, %q", answer.Status, answer.Header.Get("Location"))
	}
}

// TestSimpleRequests checks that what another site may send without asking, such as a form, is refused, and asking too.
func TestSimpleRequests(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, nil)
	for _, e := range each {
		ask := request(t, s, "OPTIONS", e.path, "")
		refused(t, "asking "+e.path, b, ask, http.StatusMethodNotAllowed)
		ask = request(t, s, "OPTIONS", e.path, "")
		ask.Header.Del(callHeader)
		ask.Header.Set("Origin", "http://evil.example")
		ask.Header.Set("Access-Control-Request-Method", e.method)
		ask.Header.Set("Access-Control-Request-Headers", callHeader)
		refused(t, "another site asking "+e.path, b, ask, http.StatusForbidden)
		if e.method == "GET" || e.method == "HEAD" {
			continue
		}
		r := request(t, s, e.method, e.path, e.body)
		r.Header.Del(callHeader)
		refused(t, "no header "+e.path, b, r, http.StatusForbidden)
		if e.method != "POST" {
			continue
		}
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
			"text/plain; application/json", "application/json; charset"} {
			r := request(t, s, "POST", e.path, e.body)
			r.Header.Set("Content-Type", kind)
			refused(t, kind+" "+e.path, b, r, http.StatusUnsupportedMediaType)
		}
	}
}

// TestBodies checks that bodies that are too large, incomplete, late or not JSON are refused.
func TestBodies(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, func(s *Server) {
		s.caller.limits.args, s.caller.limits.body, s.caller.limits.header = 100, 500*time.Millisecond, 300*time.Millisecond
	})
	refused(t, "large", b, request(t, s, "POST", "call/echo", `"`+strings.Repeat("x", 100)+`"`), http.StatusRequestEntityTooLarge)
	refused(t, "not JSON", b, request(t, s, "POST", "call/echo", `{"a": `), http.StatusBadRequest)
	refused(t, "two values", b, request(t, s, "POST", "call/echo", `{}{}`), http.StatusBadRequest)
	late := request(t, s, "POST", "call/echo", "")
	in, hold := io.Pipe()
	defer hold.Close()
	late.Body, late.ContentLength = in, 10
	refused(t, "late", b, late, http.StatusRequestTimeout)
	late = request(t, s, "PUT", "tables/t.csv", "")
	in, hold = io.Pipe()
	defer hold.Close()
	late.Body, late.ContentLength = in, 10
	go func() { _, _ = io.WriteString(hold, "x,y\n") }()
	if _, text := answered(t, late); !strings.Contains(text, "the upload stalled: no bytes for 500ms") || len(b.saved()) > 0 {
		t.Errorf("a table that stops: %s; saved %q", text, b.saved())
	}
	slow := request(t, s, "PUT", "tables/slow.csv", "")
	in, hold = io.Pipe()
	slow.Body, slow.ContentLength = in, -1
	go func() {
		for range 10 {
			_, _ = io.WriteString(hold, "x,y\n")
			time.Sleep(80 * time.Millisecond) // in all longer than any limit
		}
		hold.Close()
	}()
	if _, text := answered(t, slow); text != "{\"result\":\"slow.csv\"}\n" || b.tables["slow.csv"] != strings.Repeat("x,y\n", 10) {
		t.Errorf("a table that comes slowly: %s; saved %q", text, b.saved())
	}
}

// TestSlowHeader checks that a connection whose header does not come is closed, and one whose header is too large.
func TestSlowHeader(t *testing.T) {
	s, _ := started(t, newBench(), func(s *Server) { s.caller.limits.header = 200 * time.Millisecond })
	for text, want := range map[string]string{"GET / HTTP/1.1\r\nHost: ": "", "GET / HTTP/1.1\r\nHost: x\r\nX: " +
		strings.Repeat("x", 1<<16) + "\r\n\r\n": "431"} {
		c, err := net.Dial("tcp4", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(c).ReadString('\n')
		if !strings.Contains(line, want) || want == "" && err != io.EOF {
			t.Errorf("%.20q: %q, %v", text, line, err)
		}
	}
}

// TestLongCall checks that the limits of requests do not end a call.
func TestLongCall(t *testing.T) {
	s, _ := started(t, newBench(), func(s *Server) {
		s.caller.limits = limits{header: 50 * time.Millisecond, body: 50 * time.Millisecond, answer: 50 * time.Millisecond,
			idle: 50 * time.Millisecond, args: 100}
	})
	want := strings.Repeat(`{"event":"note"}`+"\n", 3) + `{"result":null}` + "\n"
	if _, text := answered(t, request(t, s, "POST", "call/long", "{}")); text != want {
		t.Errorf("got\n%s", text)
	}
}

// TestNames checks that no name of a table or method leads anywhere else.
func TestNames(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, nil)
	for _, name := range []string{"..", "../x.csv", "..%2fx.csv", "%2e%2e/x.csv", "%2e%2e%2fx.csv", "a/b.csv", "a%2Fb.csv", "", ".", "%2e",
		"/etc/passwd", "%2Fetc%2Fpasswd"} {
		r := request(t, s, "PUT", "tables/"+name, "x")
		if answer, text := answered(t, r); answer.StatusCode < 300 || len(b.saved()) > 0 {
			t.Errorf("%q: %s: %s; saved %q", name, answer.Status, text, b.saved())
		}
	}
	if _, text := answered(t, request(t, s, "PUT", "tables/gr%C3%B6%C3%9Fe%20%231.csv", "x")); text != "{\"result\":\"größe #1.csv\"}\n" ||
		b.tables["größe #1.csv"] != "x" {
		t.Errorf("%s: %q", text, b.saved())
	}
}

// attack is a page that knows the address of a workbench, and tries what a page can.
const attack = `<!DOCTYPE html><link rel="icon" href="data:,"><title>attack</title><iframe name="inside"></iframe>
<form id="form" method="post" enctype="text/plain" target="inside" action="%[1]scall/echo"><input name='{"a":"' value='"}'></form>
<script>
const url = %[1]q, tries = [], add = (what, promise) => tries.push(promise.then((v) => what + ": " + v, () => what + ": refused"));
const text = (answer) => answer.text();
const json = { "Content-Type": "application/json", "X-Tskgraph": "x" };
add("read", fetch(url).then(text));
add("read file", fetch(url + "app.js").then(text));
add("call", fetch(url + "call/echo", { method: "POST", headers: json, body: "{}" }).then(text));
add("put", fetch(url + "tables/t.csv", { method: "PUT", headers: json, body: "x" }).then(text));
fetch(url + "call/echo", { method: "POST", mode: "no-cors", body: "{}" });
fetch(url + "call/echo", { method: "POST", mode: "no-cors", body: new Blob(["{}"], { type: "text/plain" }) });
navigator.sendBeacon(url + "call/echo", "{}");
const loads = (element) => new Promise((resolve, reject) => { element.onload = () => resolve("loaded"); element.onerror = reject;
	document.body.append(element); });
add("script", loads(Object.assign(document.createElement("script"), { src: url + "app.js" })));
add("style", loads(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url + "style.css" })));
add("socket", new Promise((resolve, reject) => { const s = new WebSocket(url.replace("http", "ws") + "call/echo");
	s.onopen = () => resolve("open"); s.onerror = reject; }));
document.querySelector("#form").submit();
Promise.all(tries).then((said) => { window.said = said; });
</script>`

// TestForeignSite checks in a browser that another site, even one that knows the address, reads nothing and calls nothing, and that a name
// that leads to this machine (DNS rebinding) does not help.
func TestForeignSite(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, func(s *Server) {
		s.page.files = map[string][]byte{"index.html": files["index.html"], "app.js": []byte("window.mine = true;"),
			"style.css": []byte("body { color: red }")}
	})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, attack, s.URL())
	}))
	defer site.Close()
	p := browser.Open(t, site.URL)
	p.Await(`"said" in window`)
	var said []string
	p.Evaluate(`said`, &said)
	for _, line := range said {
		if !strings.HasSuffix(line, ": refused") {
			t.Error(line)
		}
	}
	var mine bool
	if p.Evaluate(`"mine" in window`, &mine); mine || len(said) != 7 {
		t.Errorf("its script ran here: %v; %q", mine, said)
	}
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	p.Go("http://evil.localhost:" + port + "/" + s.guard.token + "/") // which browsers take to this machine
	var text string
	if p.Evaluate(`document.body.textContent`, &text); !strings.Contains(text, "this is not the address of the workbench") {
		t.Errorf("another name: %s", text)
	}
	p.Go(s.URL())
	if p.Evaluate(`document.title`, &text); text != "page" {
		t.Errorf("its own name: %s", text)
	}
	if called := b.methods(); len(called) > 0 || len(b.saved()) > 0 {
		t.Errorf("called %q, saved %q", called, b.saved())
	}
}
