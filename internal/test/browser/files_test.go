package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// takesFiles is a page that takes files, saves one and asks other hosts.
const takesFiles = `<!DOCTYPE html><link rel="icon" href="data:,"><title>page</title><input type="file"><p id="zone">drop here</p><script>
window.said = [first];
const read = async (kind, files) => { for (const f of files) said.push(kind + " " + f.name + " " + await f.text()); };
document.querySelector("input").onchange = (e) => read("chosen", e.target.files);
document.ondragover = (e) => e.preventDefault();
document.ondrop = (e) => { e.preventDefault(); read("dropped", e.dataTransfer.files); };
const save = (name, text) => Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(new Blob([text])) }).click();
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
	if got, want := proxy.Requests(), []string{"GET " + server.URL + "/", "GET http://elsewhere.example/x"}; !slices.Equal(got, want) || !slices.Equal(proxy.Refused(), want[1:]) {
		t.Errorf("requests %q, want %q", got, want)
	}
}
