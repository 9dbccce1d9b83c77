package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFaults checks that every kind of fault is reported, and none for a sound page.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	write := func(name, script string) string {
		path := filepath.Join(dir, name)
		text := `<!DOCTYPE html><link rel="icon" href="data:,"><p id="p">sound</p><script>` + script + `</script>`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p := Open(t, write("sound.html", `console.log("sound")`))
	var text string
	if p.Evaluate(`document.querySelector("#p").textContent`, &text); text != "sound" || len(p.Faults()) > 0 {
		t.Errorf("%q, %s", text, p.Faults())
	}
	for script, want := range map[string]string{
		`console.error("bad", 1)`: "console: error",
		`nowhere()`:               "exception",
		`alert("hello")`:          "dialog: hello",
		`fetch("http://127.0.0.1:9/x").catch(() => {})`:                    "request: http://127.0.0.1:9/x",
		`document.body.append(Object.assign(new Image(), {src: "a.png"}))`: "a.png",
	} {
		p.Go(write("faulty.html", script))
		p.Await(`document.readyState === "complete"`)
		got := ""
		for end := time.Now().Add(5 * time.Second); !strings.Contains(got, want) && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			got = strings.Join(p.Faults(), "; ")
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}

// takesFiles is a page that takes files, saves one and asks other hosts.
const takesFiles = `<!DOCTYPE html><link rel="icon" href="data:,"><title>page</title><input type="file"><p id="zone">drop here</p><script>
window.said = [first];
const read = async (kind, files) => { for (const f of files) said.push(kind + " " + f.name + " " + await f.text()); };
document.querySelector("input").onchange = (e) => read("chosen", e.target.files);
document.ondragover = (e) => e.preventDefault();
document.ondrop = (e) => { e.preventDefault(); read("dropped", e.dataTransfer.files); };
const save = (name, text) => Object.assign(document.createElement("a"), { download: name,
	href: URL.createObjectURL(new Blob([text])) }).click();
const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = (e) => fetch(e.data).catch(() => {}).then(() => postMessage(1))"])));
worker.onmessage = () => said.push("asked");
</script>`

// TestFiles checks that a page gets the files that are dropped and chosen, and that what it saves and asks for is seen.
func TestFiles(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(takesFiles)) }))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	proxy := NewProxy(t, host)
	p := Open(t, server.URL+"/", Through(proxy), First(`window.first = "first"`))
	path := filepath.Join(t.TempDir(), "größe 1.csv")
	if err := os.WriteFile(path, []byte("x,y"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Drop("#zone", path)
	p.Await(`said.length === 2`)
	p.Choose("input", path)
	p.Await(`said.length === 3`)
	if name, text := p.Download(`save("a b.txt", "saved")`); name != "a b.txt" || string(text) != "saved" {
		t.Errorf("it saved %q in %q", text, name)
	}
	p.Run(`worker.postMessage("http://elsewhere.example/x")`)
	p.Await(`said.length === 4`)
	var said []string
	p.Evaluate(`said`, &said)
	if want := []string{"first", "dropped größe 1.csv x,y", "chosen größe 1.csv x,y", "asked"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
	if got, want := proxy.Requests(), []string{"GET " + server.URL + "/", "GET http://elsewhere.example/x"}; !slices.Equal(got, want) ||
		!slices.Equal(proxy.Refused(), want[1:]) {
		t.Errorf("requests %q, want %q", got, want)
	}
}

// TestFrame checks that statements run in a frame with an origin of its own, and that its faults are seen.
func TestFrame(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := `<!DOCTYPE html><link rel="icon" href="data:,"><title>page</title><iframe sandbox="allow-scripts" src="frame.html"></iframe>`
		if r.URL.Path == "/frame.html" {
			text = `<!DOCTYPE html><title>frame</title><script>window.inner = 7; window.fail = () => nowhere();</script>`
		}
		_, _ = io.WriteString(w, text)
	}))
	defer server.Close()
	p := Open(t, server.URL+"/")
	f := p.Frame("/frame.html")
	f.Await(`inner === 7`)
	f.Run(`setTimeout(fail)`)
	for end := time.Now().Add(5 * time.Second); len(f.Faults()) == 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if faults := strings.Join(f.Faults(), "; "); !strings.Contains(faults, "nowhere is not defined") {
		t.Errorf("the faults of the frame are %q", faults)
	}
	if faults := p.Faults(); len(faults) > 0 {
		t.Errorf("the page around it has faults: %s", faults)
	}
}
