package server

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

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
const loads = (element) => new Promise((resolve, reject) => { element.onload = () => resolve("loaded"); element.onerror = reject; document.body.append(element); });
add("script", loads(Object.assign(document.createElement("script"), { src: url + "app.js" })));
add("style", loads(Object.assign(document.createElement("link"), { rel: "stylesheet", href: url + "style.css" })));
add("socket", new Promise((resolve, reject) => { const s = new WebSocket(url.replace("http", "ws") + "call/echo"); s.onopen = () => resolve("open"); s.onerror = reject; }));
document.querySelector("#form").submit();
Promise.all(tries).then((said) => { window.said = said; });
</script>`

// TestForeignSite checks in a browser that another site, even one that knows the address, reads nothing and calls nothing, and that a name
// that leads to this machine (DNS rebinding) does not help.
func TestForeignSite(t *testing.T) {
	b := newBench()
	s, _ := started(t, b, func(s *Server) {
		s.page.files = map[string][]byte{"index.html": files["index.html"], "app.js": []byte("window.mine = true;"), "style.css": []byte("body { color: red }")}
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
