package cli

import (
	"bytes"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServe: the server answers with what predict writes, reads its model and tokens again on SIGHUP, and answers until it ends by SIGTERM.
func TestServe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals between processes")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "t.csv"), "x,y\n"+strings.Repeat("1,2\n2,4\n3,6\n4,8\n", 10))
	for _, line := range []string{"train --quiet --set data.path=t.csv --set data.target=y --set train.iterations=5 --set output.dir=.",
		"predict --quiet --model t-gaussian-001 --data t.csv --out p.csv"} {
		cmd := exec.Command("tskgraph", strings.Fields(line)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	write(t, filepath.Join(dir, "tokens"), "first\n")
	cmd := exec.Command("tskgraph", "serve", "m=t-gaussian-001", "--listen", "127.0.0.1:0", "--token-file", "tokens", "--poll", "0")
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	_, lines := started(t, cmd, (*exec.Cmd).StdoutPipe)
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	url := lines.Text()
	predict := func(token string) string {
		q, err := http.NewRequest("POST", url+"/predict", strings.NewReader(`[{"x": 1}, {"x": 3}]`))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/json")
		q.Header.Set("Authorization", "Bearer "+token)
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		return r.Status + " " + string(text)
	}
	predicted, err := os.ReadFile(filepath.Join(dir, "p.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(string(predicted), "\n")
	for _, i := range []int{1, 3} {
		want := rows[i][strings.LastIndex(rows[i], ",")+1:]
		if got := predict("first"); !strings.Contains(got, `{"prediction":`+want+",") {
			t.Errorf("%s; predict writes %s", got, rows[i])
		}
	}
	write(t, filepath.Join(dir, "tokens"), "second\n")
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); !strings.HasPrefix(predict("second"), "200") && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if got := predict("first"); !strings.HasPrefix(got, "401") {
		t.Errorf("the token before: %s", got)
	}
	for check, want := range map[string]int{url: 0, "http://127.0.0.1:1": 1} {
		if code := run(t.Context(), []string{"serve", "--check", check}, nil, io.Discard, io.Discard); code != want {
			t.Errorf("--check %s: exit code %d, want %d", check, code, want)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(stderr.String(), `"msg":"ended","answered":true`) {
		t.Errorf("%v: %s", err, &stderr)
	}
}

// TestServeUsage: what is wrong with a command line.
func TestServeUsage(t *testing.T) {
	for _, c := range []struct {
		args, says string
		code       int
	}{
		{"", "name the models", 2},
		{"a b=c", "NAME=PATH", 2},
		{"none", "none", 4},
		{"none --token-file none", "none: no such file", 2},
		{"none --interval 1", "--interval lies between 0 and 1", 2},
		{"none --max-rows 0", "limits are at least 1", 2},
		{"none --tls-cert c.pem", "need each other", 2},
		{"none --check http://x", "asks a server", 2},
		{"--check 127.0.0.1", "want an address such as http://127.0.0.1:8080", 2},
		{"--tokenfile x", "did you mean --token-file?", 2},
	} {
		var stderr bytes.Buffer
		args := append([]string{"serve"}, strings.Fields(c.args)...)
		if c.args == "a b=c" {
			args = []string{"serve", c.args}
		}
		if code := run(t.Context(), args, nil, io.Discard, &stderr); code != c.code || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%s: exit code %d, want %d: %s", c.args, code, c.code, &stderr)
		}
	}
}

// TestCheckTLS: --check trusts the certificate that it is given, and no other.
func TestCheckTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	cert := filepath.Join(t.TempDir(), "cert.pem")
	write(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	for says, flags := range map[string][]string{"is not ready: 404 Not Found": {"--tls-cert", cert}, "unknown authority": nil} {
		code, stderr := ran(t.Context(), append([]string{"serve", "--check", s.URL}, flags...)...)
		if code != 1 || !strings.Contains(stderr, says) {
			t.Errorf("exit code %d: %s", code, stderr)
		}
	}
}
