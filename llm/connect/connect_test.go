package connect_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"taste/internal/hint"
	"taste/llm"
	"taste/llm/cache"
	"taste/llm/connect"
	"taste/llm/scripted"
)

func TestSpecifications(t *testing.T) {
	for text, want := range map[string]connect.Spec{
		"openai/gpt-x":                       {Provider: "openai", Model: "gpt-x"},
		"openai-responses/gpt-x":             {Provider: "openai-responses", Model: "gpt-x"},
		"azure/my-deployment":                {Provider: "azure", Model: "my-deployment"},
		"anthropic/claude-y":                 {Provider: "anthropic", Model: "claude-y"},
		"google/gemini-z":                    {Provider: "google", Model: "gemini-z"},
		"openai/org/model:tag":               {Provider: "openai", Model: "org/model:tag"},
		"http://localhost:8000/v1#org/model": {Provider: "url", Model: "org/model", URL: "http://localhost:8000/v1"},
		"https://h.example/api/v1/#m":        {Provider: "url", Model: "m", URL: "https://h.example/api/v1"},
	} {
		got, err := connect.Parse(text)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
		if again, err := connect.Parse(got.Name()); err != nil || again != got {
			t.Errorf("%s: its name %s is read as %+v, %v", text, got.Name(), again, err)
		}
	}
	for text, want := range map[string]string{
		"":                           "want openai/MODEL",
		"gpt-x":                      "want openai/MODEL",
		"openai/":                    "want openai/MODEL",
		"rules":                      "want openai/MODEL",
		"bedrock/claude-y":           "bedrock is not supported",
		"vertex/gemini-z":            "vertex is not supported",
		"gemini/gemini-z":            "gemini is not supported",
		"http://localhost/v1":        "the model stands after #",
		"http://#m":                  "no host",
		"http://u:hush@localhost#m":  "holds a password",
		"http://localhost?k=hush#m":  "holds a password or a query",
		"http://u:hush@local host#m": "cannot be read",
	} {
		_, err := connect.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestPlayers(t *testing.T) {
	for text, want := range map[string]connect.Player{
		"rules":          {Rules: true},
		"openai/m":       {Model: "openai/m"},
		"rules+openai/m": {Rules: true, Model: "openai/m"},
	} {
		if got, err := connect.ParsePlayer(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"rules+", "rules+rules", "rule"} {
		if _, err := connect.ParsePlayer(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

func TestConfigurationsAreRefusedWhole(t *testing.T) {
	for text, want := range map[string]string{
		"jugde: openai/m":                                         "jugde",
		"roles: {jugde: {effort: low}}":                           `roles: "jugde" is none of judge`,
		"roles: {judge: {effort: huge}}":                          "roles: judge: effort is one of none",
		"options: {temperature: 3}":                               "options: temperature",
		"options: {top_p: 0}":                                     "options: top_p",
		"options: {temperature: .nan}":                            "options: temperature",
		"options: {top_p: .nan}":                                  "options: top_p",
		"options: {max_tokens: -1}":                               "options: max_tokens is -1, and a limit is 1 at least",
		"roles: {judge: {max_tokens: 0}}":                         "roles: judge: max_tokens is 0, and a limit is 1 at least: leave it out",
		"providers: {gemini: {}}":                                 "providers: gemini: want openai, azure",
		"providers: {openai: {max_in_flight: -1}}":                "providers: openai: max_in_flight is -1",
		"providers: {openai: {tokens_per_minute: 0}}":             "providers: openai: tokens_per_minute is 0",
		"providers: {'http://h/v1': {base_url: http://h/v1}}":     "leave out base_url",
		"providers: {openai: {headers: {Authorization: Bearer}}}": "headers: Authorization holds a key",
		"budget: {dollars: -1}":                                   "budget: dollars is -1",
		"budget: {dollars: 0}":                                    "budget: dollars is 0, and a cap is finite and above 0: leave it out for no cap",
		"budget: {calls: .5}":                                     "budget: calls is 0.5: want a whole number",
		"budget: {dollars: .inf}":                                 "budget: dollars is +Inf",
		"budget: {dollars: .nan}":                                 "budget: dollars is NaN",
		"budget: {dollars: 1, calls: 0}":                          "budget: calls is 0",
		"budget:\n  tokens: 0.0":                                  "budget: tokens is 0",
		"budget: {euros: 1}":                                      "unknown field",
		"timeout: -1s":                                            "timeout",
		"timeout: 120":                                            "timeout",
		"retries: -1":                                             "retries",
		"llm: openai/a\n---\njudge: openai/b\n":                   "second document",
	} {
		if _, err := connect.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhoPlays(t *testing.T) {
	c := config(t, "llm: openai/m\njudge: rules+openai/j\nnl_judge: google/n")
	for role, want := range map[string]string{"judge": "rules+openai/j", "nl_judge": "google/n", "author": "openai/m", "agent": "openai/m"} {
		if got := c.Player(role); got != want {
			t.Errorf("%s: %s", role, got)
		}
	}
}

func config(t *testing.T, text string) *connect.Config {
	t.Helper()
	c, err := connect.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// process is what a connector is given in tests.
func process(environment map[string]string) connect.Deps {
	return connect.Deps{
		Getenv: func(name string) string { return environment[name] },
		Now:    time.Now, Prices: llm.DefaultPrices(),
	}
}

// reach is the environment in which all providers are one server.
func reach(s *server) map[string]string {
	return map[string]string{
		"OPENAI_BASE_URL": s.URL + "/v1", "ANTHROPIC_BASE_URL": s.URL, "GEMINI_BASE_URL": s.URL, "AZURE_OPENAI_ENDPOINT": s.URL,
	}
}

func TestWhatCannotWorkIsRefusedBeforeACall(t *testing.T) {
	for _, c := range []struct {
		config, spec string
		environment  map[string]string
		want, advice string
	}{
		{"{}", "openai/m", nil, "there is no key", "set OPENAI_API_KEY"},
		{"{}", "anthropic/m", nil, "there is no key", "set ANTHROPIC_API_KEY"},
		{"{}", "google/m", nil, "there is no key", "set GEMINI_API_KEY"},
		{"{}", "azure/m", map[string]string{"AZURE_OPENAI_API_KEY": "k"}, "address is not known", "set AZURE_OPENAI_ENDPOINT"},
		{"providers: {openai: {key_env: MINE}}", "openai/m", map[string]string{"OPENAI_API_KEY": "k"}, "there is no key", "set MINE"},
		{"providers: {'http://localhost/v1': {key_env: MINE}}", "http://localhost/v1#m", nil, "there is no key", "set MINE"},
		{"{}", "openai/m", map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "localhost/v1"}, "base URL", ""},
		{"{}", "openai/m", map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://u:hush@h/v1"}, "base URL", ""},
		{"providers: {openai: {headers: {X-Key: $HERS}}}", "openai/m", map[string]string{"OPENAI_API_KEY": "k"}, "the environment has no HERS", ""},
		{"budget: {dollars: 1}", "openai/unheard-of", map[string]string{"OPENAI_API_KEY": "k"}, "its price is not known", "give its price"},
		{"{}", "bedrock/m", nil, "not supported", "gateway"},
	} {
		_, err := connect.New(config(t, c.config), process(c.environment)).Model(c.spec, "judge")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(hint.Of(err), c.advice) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s, %s: %v (hint %q)", c.config, c.spec, err, hint.Of(err))
		}
	}
}

// All specifications reach their interface, on a server that needs no key.
func TestEverySpecificationReachesItsInterface(t *testing.T) {
	s := serve(t, script(t, `rules: [{answer: {text: "I am {{.Model}}."}}]`))
	local := s.URL + "/v1#m"
	for _, c := range []struct{ spec, config, path string }{
		{"openai/m", "{}", "/v1/chat/completions"},
		{"openai-responses/m", "{}", "/v1/responses"},
		{"anthropic/m", "{}", "/v1/messages"},
		{"anthropic/m", "providers: {anthropic: {base_url: '" + s.URL + "/v1/'}}", "/v1/messages"},
		{"google/m", "{}", "/v1beta/models/m:generateContent"},
		{"google/m", "providers: {google: {api_version: v1}}", "/v1/models/m:generateContent"},
		{"azure/m", "{}", "/openai/v1/chat/completions"},
		{"azure/m", "providers: {azure: {api_version: 2024-10-21}}", "/openai/deployments/m/chat/completions"},
		{"azure-responses/m", "{}", "/openai/v1/responses"},
		{local, "{}", "/v1/chat/completions"},
	} {
		m, err := connect.New(config(t, c.config), process(reach(s))).Model(c.spec, "judge")
		if err != nil {
			t.Fatal(err)
		}
		before := len(s.asked())
		res, err := m.Call(t.Context(), &llm.Request{Messages: ask("x").Messages})
		if err != nil || res.Message.Text != "I am m." || m.Name() != c.spec {
			t.Errorf("%s: %v, %v", m.Name(), res, err)
		}
		if got := s.asked()[before].Path; got != c.path {
			t.Errorf("%s: %s, want %s", c.spec, got, c.path)
		}
	}
}

// What is configured arrives: headers, query, organisation, keys in their places.
func TestHeaders(t *testing.T) {
	var got *http.Request
	inner := &scripted.Server{Func: script(t, "rules: [{answer: {text: ok}}]")}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.Background())
		inner.ServeHTTP(w, r)
	}))
	defer s.Close()
	environment := map[string]string{
		"OPENAI_API_KEY": "sk-openai", "AZURE_OPENAI_API_KEY": "sk-azure", "ANTHROPIC_API_KEY": "sk-anthropic", "GOOGLE_API_KEY": "sk-google",
		"TASTE_LLM_API_KEY": "sk-url", "PROXY": "sk-proxy", "OPENAI_PROJECT_ID": "proj",
		"OPENAI_BASE_URL": s.URL + "/v1", "ANTHROPIC_BASE_URL": s.URL, "GEMINI_BASE_URL": s.URL, "AZURE_OPENAI_ENDPOINT": s.URL,
	}
	c := config(t, `
providers:
  openai: {organization: org, headers: {X-Proxy-Auth: $PROXY, X-Team: blue}}
  azure: {api_version: 2024-10-21}
  anthropic: {api_version: 2030-01-01, headers: {X-Team: blue}}
  google: {headers: {X-Team: blue}}
`)
	for spec, want := range map[string]map[string]string{
		"openai/m": {
			"Authorization": "Bearer sk-openai", "Openai-Organization": "org", "Openai-Project": "proj", "X-Proxy-Auth": "sk-proxy", "X-Team": "blue",
		},
		"azure/m":       {"Api-Key": "sk-azure", "Authorization": "", "Openai-Project": ""},
		"anthropic/m":   {"X-Api-Key": "sk-anthropic", "Anthropic-Version": "2030-01-01", "X-Team": "blue", "Authorization": ""},
		"google/m":      {"X-Goog-Api-Key": "sk-google", "X-Team": "blue"},
		s.URL + "/v1#m": {"Authorization": "Bearer sk-url"},
	} {
		m, err := connect.New(c, process(environment)).Model(spec, "judge")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Call(t.Context(), ask("x")); err != nil {
			t.Fatal(err)
		}
		for name, v := range want {
			if got.Header.Get(name) != v {
				t.Errorf("%s: %s: %q, want %q", spec, name, got.Header.Get(name), v)
			}
		}
		if v := got.URL.Query().Get("api-version"); (v == "2024-10-21") != strings.HasPrefix(spec, "azure") {
			t.Errorf("%s: api-version %q", spec, v)
		}
	}
}

func TestOptionsFillInWhatIsOpen(t *testing.T) {
	s := serve(t, script(t, "rules: [{answer: {text: ok}}]"))
	c := config(t, `
options: {temperature: 0, max_tokens: 1000, extra: {service_tier: flex}}
roles:
  judge: {temperature: 1, effort: low, extra: {verbosity: low}}
providers: {google: {seeds: false}}
`)
	calls := connect.New(c, process(reach(s)))
	seed, warm := int64(5), 0.25
	for _, call := range []struct {
		spec, role string
		request    llm.Request
		want       string
	}{
		{"openai/m", "judge", llm.Request{}, "m 1000 1 low seed"},
		{"openai/m", "author", llm.Request{}, "m 1000 0  seed"},
		{"openai/m", "judge", llm.Request{Model: "x", MaxTokens: 5, Temperature: &warm, Effort: "high"}, "m 5 0.25 high seed"},
		{"google/m", "judge", llm.Request{}, "m 1000 1 low "},
	} {
		m, err := calls.Model(call.spec, call.role)
		if err != nil {
			t.Fatal(err)
		}
		r := call.request
		r.Seed, r.Messages = &seed, ask("x").Messages
		if _, err := m.Call(t.Context(), &r); err != nil {
			t.Fatal(err)
		}
		if r.MaxTokens != call.request.MaxTokens || r.Seed == nil {
			t.Error("the request was changed")
		}
		seen := s.asked()
		e := seen[len(seen)-1]
		got := fmt.Sprintf("%s %d %v %s ", e.Ask.Model, e.Ask.MaxTokens, *e.Ask.Temperature, e.Ask.Effort)
		if e.Ask.Seed != nil {
			got += "seed"
		}
		if got != call.want {
			t.Errorf("%s as %s: got %s, want %s", call.spec, call.role, got, call.want)
		}
		if !strings.Contains(string(e.Body), `"service_tier":"flex"`) || strings.Contains(string(e.Body), "verbosity") != (call.role == "judge") {
			t.Errorf("extra: %s", e.Body)
		}
	}
}

// What a role asks of its model is told by name, further fields beside the rest.
func TestAsks(t *testing.T) {
	c := config(t, "options: {temperature: 0, extra: {a: 1}}\nroles: {judge: {effort: low, extra: {b: x}}}")
	const want = "map[a:1 b:x effort:low temperature:0]"
	if got := fmt.Sprint(c.Asks("judge")); got != want {
		t.Error(got)
	}
	m, err := connect.New(c, process(map[string]string{"OPENAI_API_KEY": "k"})).Model("openai/m", "judge")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.(interface{ Options() map[string]any }).Options()); got != want {
		t.Error(got)
	}
}

// Servers that are given by their address are asked for what all can.
func TestServersByAddress(t *testing.T) {
	s := serve(t, script(t, "rules: [{answer: {json: {why: so, ok: true}}}]"))
	for _, c := range []struct {
		config  string
		inWords bool
	}{{"{}", true}, {"providers: {'" + s.URL + "/v1': {schemas: true}}", false}} {
		m, err := connect.New(config(t, c.config), process(nil)).Model(s.URL+"/v1#m", "judge")
		if err != nil {
			t.Fatal(err)
		}
		r := ask("x")
		r.MaxTokens, r.Schema = 77, &llm.Schema{Name: "verdict", JSON: []byte(verdict)}
		if _, err := m.Call(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		seen := s.asked()
		e := seen[len(seen)-1]
		if strings.Contains(e.Ask.System, "schema") != c.inWords || (e.Ask.Schema == nil) != c.inWords || !strings.Contains(string(e.Body), `"max_tokens":77`) {
			t.Errorf("%s: %s", c.config, e.Body)
		}
	}
}

// Over each wire format: a request that is not taken fails alone, twenty in a row of one
// role are one failure that stops the run, and so is an unknown model at once. Both say
// what to do.
func TestRequestsThatAreNotTaken(t *testing.T) {
	for _, fault := range []string{"status: 400, message: unsupported parameter", "status: 422, message: too many tools", "overflow: true", "status: 200, body: '<html>'"} {
		s := serve(t, script(t, "rules: [{when: {contains: fine}, answer: {text: ok}}, {fault: {"+fault+"}}]"))
		c := connect.New(config(t, "{}"), process(reach(s)))
		for _, spec := range []string{"openai/m", "openai-responses/m", "anthropic/m", "google/m"} {
			m, err := c.Model(spec, "verifier")
			if err != nil {
				t.Fatal(err)
			}
			other, err := c.Model(spec, "user")
			if err != nil {
				t.Fatal(err)
			}
			call := func(m llm.Model, text string) error {
				_, err := m.Call(t.Context(), ask(text))
				return err
			}
			for n := 1; n <= 60; n++ {
				err := call(m, fmt.Sprint("odd", n))
				if n == 19 && call(m, "fine") != nil {
					t.Fatal(err)
				}
				if last := n == 39; (llm.ClassOf(err) == llm.Refused) != last || last && (hint.Of(err) == "" || !errors.Is(err, llm.ErrUseless)) {
					t.Fatalf("%s, %s: request %d: %v (%s)", spec, fault, n, err, hint.Of(err))
				} else if last {
					break
				}
			}
			if err := call(other, "odd"); llm.ClassOf(err) == llm.Refused {
				t.Errorf("%s: another role: %v", spec, err)
			}
		}
	}
	s := serve(t, script(t, "rules: [{fault: {status: 404, message: no model m}}]"))
	for _, spec := range []string{"openai/m", "openai-responses/m", "anthropic/m", "google/m"} {
		m, err := connect.New(config(t, "{}"), process(reach(s))).Model(spec, "judge")
		if err != nil {
			t.Fatal(err)
		}
		if _, err = m.Call(t.Context(), ask("x")); llm.ClassOf(err) != llm.Refused || !strings.Contains(hint.Of(err), "no such model") {
			t.Errorf("%s: %v (%s)", spec, err, hint.Of(err))
		}
	}
}

func TestRefusedSchemasComeWithAdvice(t *testing.T) {
	s := serve(t, script(t, "rules: [{fault: {status: 400, message: 'response_format is not supported by this model'}}]"))
	m, err := connect.New(config(t, "{}"), process(reach(s))).Model("openai/m", "judge")
	if err != nil {
		t.Fatal(err)
	}
	r := ask("x")
	if _, err = m.Call(t.Context(), r); hint.Of(err) != "" {
		t.Errorf("without a schema: %v", hint.Of(err))
	}
	r.Schema = &llm.Schema{Name: "verdict", JSON: []byte(verdict)}
	for n := range 20 {
		want := llm.BadRequest
		if n == 19 {
			want = llm.Refused
		}
		if _, err = m.Call(t.Context(), r); !strings.Contains(hint.Of(err), "schemas: false") || llm.ClassOf(err) != want {
			t.Errorf("request %d: got %v (%s)", n, err, hint.Of(err))
		}
	}
}

// Failures for a while are tried again, by all decorators together, and no key
// shows; the wait is the provider's.
func TestFailuresAreTriedAgain(t *testing.T) {
	s := serve(t, script(t, `
rules:
  - {times: 1, fault: {status: 429, retry_after: 300ms}}
  - {times: 1, fault: {hang: true}}
  - answer: {text: at last}
`))
	environment := reach(s)
	environment["OPENAI_API_KEY"] = key
	d := process(environment)
	var told []string
	d.Notify = func(model string, err *llm.Error, wait time.Duration) {
		told = append(told, fmt.Sprint(model, " ", err.Class, " ", wait))
	}
	m, err := connect.New(config(t, "timeout: 100ms"), d).Model("openai/m", "judge")
	if err != nil {
		t.Fatal(err)
	}
	res, err := m.Call(t.Context(), ask("x"))
	if err != nil || res.Message.Text != "at last" || len(s.asked()) != 3 {
		t.Fatal(res, err)
	}
	if got := strings.Join(told, "; "); got != "openai/m rate_limited 1s; openai/m timed_out 2s" {
		t.Error(got)
	}
}

func TestRetriesEnd(t *testing.T) {
	s := serve(t, script(t, "rules: [{fault: {status: 500}}]"))
	m, err := connect.New(config(t, "retries: 0"), process(reach(s))).Model("openai/m", "judge")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Call(t.Context(), ask("x")); llm.ClassOf(err) != llm.Overloaded || len(s.asked()) != 1 {
		t.Error(err, len(s.asked()))
	}
}

// Keys stand in no error and in no kept call, even where the provider repeats
// them.
func TestKeysAreKeptOut(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, r.Header)
	}))
	defer s.Close()
	d := process(map[string]string{"OPENAI_API_KEY": key, "PROXY": "sk-proxy-secret", "OPENAI_BASE_URL": s.URL + "/v1"})
	m, err := connect.New(config(t, "providers: {openai: {headers: {X-Proxy-Auth: $PROXY}}}"), d).Model("openai/m", "judge")
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Call(t.Context(), ask("x"))
	if llm.ClassOf(err) != llm.BadRequest || !strings.Contains(err.Error(), "[key]") {
		t.Errorf("got %v", err)
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if text := fmt.Sprintf("%v %#v", e, e); strings.Contains(text, key) || strings.Contains(text, "sk-proxy") {
			t.Error(text)
		}
	}
}

// A budget is shared by all models of a connector, and what was kept counts.
func TestTheBudgetIsShared(t *testing.T) {
	s := serve(t, script(t, "rules: [{answer: {text: ok, usage: {input: 10, output: 10}}}]"))
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	spend := func(want llm.Class, specs ...string) {
		t.Helper()
		d := process(reach(s))
		var err error
		if d.Store, err = cache.Open(path); err != nil {
			t.Fatal(err)
		}
		defer d.Store.Close()
		c := connect.New(config(t, "budget: {calls: 2}"), d)
		for i, spec := range specs {
			m, err := c.Model(spec, "judge")
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Call(t.Context(), ask("x"))
			if got := llm.ClassOf(err); i < len(specs)-1 && err != nil || i == len(specs)-1 && got != want {
				t.Errorf("%s: %v", spec, err)
			}
		}
	}
	spend(llm.OverBudget, "openai/a", "anthropic/b", "google/c")
	spend(llm.OverBudget, "openai/a", "openai/a", "google/c") // the first is kept, and costs nothing
	if n := len(s.asked()); n != 2 {
		t.Errorf("%d calls", n)
	}
}

// Replay reaches nothing and needs no key.
func TestReplay(t *testing.T) {
	s := serve(t, script(t, `rules: [{answer: {text: "said once", thought: hm}}]`))
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	d := process(reach(s))
	var err error
	if d.Store, err = cache.Open(path); err != nil {
		t.Fatal(err)
	}
	c := config(t, "options: {temperature: 0}")
	call := func(d connect.Deps, text string) (*llm.Response, error) {
		m, err := connect.New(c, d).Model("anthropic/m", "judge")
		if err != nil {
			return nil, err
		}
		return m.Call(t.Context(), ask(text))
	}
	first, err := call(d, "x")
	if err != nil {
		t.Fatal(err)
	}
	d.Store.Close()
	s.Close()
	replay := process(nil)
	replay.Replay = true
	if replay.Store, err = cache.OpenReplay(path); err != nil {
		t.Fatal(err)
	}
	defer replay.Store.Close()
	again, err := call(replay, "x")
	if err != nil || fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("got %v, %v; want %v", again, err, first)
	}
	if _, err := call(replay, "y"); llm.ClassOf(err) != llm.Miss {
		t.Errorf("got %v", err)
	}
}

// 32 calls are in flight at a time, no more, in little memory.
func TestManyInFlight(t *testing.T) {
	var flying, most atomic.Int64
	gate := make(chan struct{})
	var open sync.Once
	s := serve(t, func(_ context.Context, r *llm.Request) (*llm.Response, error) {
		n := flying.Add(1)
		defer flying.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		if n == 32 {
			open.Do(func() { close(gate) })
		}
		<-gate
		return &llm.Response{Message: llm.Message{Text: strings.Repeat("y", 20_000)}}, nil
	})
	calls := connect.New(config(t, "{}"), process(reach(s)))
	long := strings.Repeat("policy and tools ", 6000) // 100 kB
	var wg sync.WaitGroup
	for i := range 96 {
		spec := []string{"openai/m", "openai-responses/m"}[i%2] // which share a limiter
		m, err := calls.Model(spec, "judge")
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			r := ask(fmt.Sprint(i))
			r.System = long
			if _, err := m.Call(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 32 {
		t.Errorf("%d in flight", most.Load())
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("%d MiB from the system, server included", memory.Sys>>20)
	if memory.Sys > 300<<20 {
		t.Errorf("%d MiB", memory.Sys>>20)
	}
}

// The file of models in the documentation is one.
func TestTheDocumentedConfiguration(t *testing.T) {
	doc, err := os.ReadFile("../../docs/llm.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(doc), "\n    llm: ")
	block, _, _ = strings.Cut(block, "\n\n")
	c := config(t, strings.ReplaceAll("llm: "+block, "\n    ", "\n"))
	if c.LLM == "" || len(c.Judges) != 3 || c.Timeout != 2*time.Minute || *c.Retries != 5 || c.Budget.Dollars != 5 || c.Roles["author"].Extra == nil {
		t.Errorf("%+v", c)
	}
	for _, spec := range append(c.Judges, c.LLM) {
		if _, err := connect.Parse(spec); err != nil {
			t.Error(err)
		}
	}
	if _, err := connect.ParsePlayer(c.Judge); err != nil {
		t.Error(err)
	}
	if p := c.Providers["http://localhost:8000/v1"]; p.Schemas == nil || !*p.Schemas || *p.Seeds {
		t.Errorf("%+v", p)
	}
}

// TestBudgetsBeyondMoney: amounts that llm.Money cannot hold are as good as no cap.
func TestBudgetsBeyondMoney(t *testing.T) {
	if got := config(t, "budget: {dollars: 1.0e+200}").Budget.Caps().Dollars; got < llm.Dollars(1e6) {
		t.Errorf("the cap is %v", got)
	}
}
