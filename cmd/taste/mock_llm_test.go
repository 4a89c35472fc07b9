package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// safeBuffer is written to by handlers while the test reads.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// mocked runs `taste mock-llm` and returns the address that it prints, what it
// logs, and how it is ended: by an interrupt, with the exit code.
func mocked(t *testing.T, args ...string) (address string, log *safeBuffer, end func() int) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	out, w := io.Pipe()
	log = &safeBuffer{}
	a := &app{in: strings.NewReader(""), out: w, log: log, now: time.Now}
	code := make(chan int, 1)
	go func() {
		code <- a.main(ctx, append([]string{"mock-llm", "--port", "0"}, args...))
		w.Close()
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if v, ok := strings.CutPrefix(lines.Text(), "export ANTHROPIC_BASE_URL="); ok {
			address = v
		}
		if strings.HasPrefix(lines.Text(), "export GEMINI_BASE_URL=") {
			break
		}
	}
	if address == "" {
		t.Fatalf("no address: %s", log)
	}
	return address, log, func() int {
		interrupt()
		select {
		case c := <-code:
			return c
		case <-time.After(10 * time.Second):
			t.Fatal("it does not end")
			return 0
		}
	}
}

// post sends a request with a key, as an SDK does.
func post(t *testing.T, url, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk-planted")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMockLLMPlaysAScript(t *testing.T) {
	dir := t.TempDir()
	script, requests := filepath.Join(dir, "script.yaml"), filepath.Join(dir, "requests.jsonl")
	if err := os.WriteFile(script, []byte(`
rules:
  - name: greeting
    when: {contains: hello}
    answer: {text: "Hi, I am {{.Model}}."}
  - fault: {status: 429, retry_after: 1s}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	address, log, end := mocked(t, script, "--log", requests)
	for path, body := range map[string]string{
		"/v1/chat/completions":             `{"model": "m", "messages": [{"role": "user", "content": "hello"}]}`,
		"/v1/responses":                    `{"model": "m", "input": "hello"}`,
		"/v1/messages":                     `{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hello"}]}`,
		"/v1beta/models/m:generateContent": `{"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}`,
	} {
		if got := post(t, address+path, body); !strings.Contains(got, "Hi, I am m.") {
			t.Errorf("%s: %s", path, got)
		}
	}
	post(t, address+"/v1/responses", `{"model": "m", "input": "bye"}`)
	if c := end(); c != codeDone {
		t.Errorf("exit code %d", c)
	}
	file, err := os.ReadFile(requests)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(file), "\n"); n != 5 || !strings.Contains(string(file), `"rule":"greeting","status":200,"body":{"model": "m"`) &&
		!strings.Contains(string(file), `"rule":"greeting","status":200,"body":{"model":"m"`) {
		t.Errorf("%d lines:\n%s", n, file)
	}
	if !strings.Contains(log.String(), "/v1/responses 429 · rule 2 · fault: status 429") {
		t.Errorf("log:\n%s", log)
	}
	if strings.Contains(string(file)+log.String(), "sk-planted") {
		t.Error("the key is in the log")
	}
}

func TestMockLLMPlaysTheRules(t *testing.T) {
	faults := filepath.Join(t.TempDir(), "faults.yaml")
	if err := os.WriteFile(faults, []byte("rules: [{name: hiccup, when: {asked: 1}, fault: {status: 503}}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, log, end := mocked(t, "rules", "airline", "--first", faults)
	post(t, address+"/v1/chat/completions", `{"model": "m", "messages": [{"role": "user", "content": "hello"}]}`)
	if !strings.Contains(log.String(), "503 · hiccup") {
		t.Errorf("%s", log)
	}
	got := post(t, address+"/v1/chat/completions", `{"model": "m", "messages": [{"role": "user", "content": "hello"}]}`)
	if !strings.Contains(got, "no such role") || !strings.Contains(log.String(), "400") {
		t.Errorf("%s\n%s", got, log)
	}
	if c := end(); c != codeDone {
		t.Errorf("exit code %d", c)
	}
}
