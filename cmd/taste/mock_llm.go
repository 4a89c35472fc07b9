package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	playing "taste/llm/scripted"
	"taste/models"
)

// mockFlags say how a scripted server is run.
type mockFlags struct {
	source sourceFlags
	host   string
	port   int
	delay  time.Duration
	log    string
	first  string
}

const longMockLLM = `Answers as language models do, without one: by a script (docs/mock-llm.md), or
by the rules roles, which play every role of the program's own prompts. It speaks
OpenAI's Chat Completions and Responses, Anthropic's Messages and Gemini's
generateContent, and prints the settings of the environment that lead there.`

func (a *app) mockLLMCommand() *cobra.Command {
	var f mockFlags
	c := &cobra.Command{
		Use: "mock-llm SCRIPT | rules [DOMAIN...]", Short: "Play language models by a script, to try a set-up without paying", Long: longMockLLM,
		Example: "  taste mock-llm rules airline\n  taste mock-llm rules airline --first faults.yaml --log requests.jsonl",
		Args:    positional(1, -1, "a script, or rules and the domains to play"),
	}
	f.source.addFiles(c.Flags())
	seedVar(c.Flags(), &f.source.worldSeed, "world-seed", "seed of the built-in world that the rules' tasks stand on")
	c.Flags().StringVar(&f.host, "host", "127.0.0.1", "address to listen at")
	c.Flags().IntVar(&f.port, "port", 8089, "port to listen at; 0: any free one")
	c.Flags().DurationVar(&f.delay, "delay", 0, "how long every answer takes, e.g. 200ms")
	c.Flags().StringVar(&f.log, "log", "", "file to which requests are written, one JSON object a line")
	c.Flags().StringVar(&f.first, "first", "", "script whose rules are tried first, to add faults to what `rules` answers")
	c.RunE = func(c *cobra.Command, args []string) error { return a.mockLLM(c.Context(), &f, args) }
	return c
}

// mockLLM serves until it is interrupted, which is how it ends.
func (a *app) mockLLM(ctx context.Context, f *mockFlags, args []string) error {
	answer, err := f.player(args)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", net.JoinHostPort(f.host, strconv.Itoa(f.port)))
	if err != nil {
		return usage(err, "give another --port, or 0 for any free one")
	}
	defer l.Close() //nolint:errcheck // the server has closed it
	log := &mockLog{out: a.log}
	if f.log != "" {
		file, err := os.Create(f.log)
		if err != nil {
			return usage(err, "give --log a file that can be written")
		}
		defer file.Close() //nolint:errcheck // each line is written when it is logged
		log.file = file
	}
	if err := a.invite(l.Addr().String()); err != nil {
		return err
	}
	server := &http.Server{
		Handler:           &playing.Server{Func: playing.Delayed(answer, f.delay), Log: log.entry},
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: time.Minute,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() }) //nolint:errcheck // it is the end
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return log.failed()
}

// player is who answers: a script, or the rules roles, a script before them if
// there is one.
func (f *mockFlags) player(args []string) (playing.Func, error) {
	if args[0] != "rules" {
		if len(args) > 1 || f.first != "" {
			return nil, usage(errors.New("a script is one file"), "domains and --first go with `taste mock-llm rules` alone")
		}
		return readScript(args[0])
	}
	rules, err := f.rules(args[1:])
	if err != nil || f.first == "" {
		return rules, err
	}
	first, err := readScript(f.first)
	if err != nil {
		return nil, err
	}
	return playing.First(first, rules), nil
}

func readScript(file string) (playing.Func, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage(err, "give a readable script, or `rules`")
	}
	s, err := playing.Read(data)
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", file, err), "docs/mock-llm.md describes scripts")
	}
	return s.Answer, nil
}

func (f *mockFlags) rules(domains []string) (playing.Func, error) {
	if len(domains) != 1 && (f.source.pack != "" || f.source.contract != "" || len(f.source.phrases) > 0) {
		return nil, usage(errors.New("--pack, --contract and --phrases are of one domain"), "name it: `taste mock-llm rules DOMAIN`")
	}
	if len(domains) == 0 {
		for _, b := range builtins {
			domains = append(domains, b.name)
		}
	}
	var kits []models.Kit
	for _, name := range domains {
		src, err := f.source.load(name)
		if err != nil {
			return nil, err
		}
		book, err := src.book()
		if err != nil {
			return nil, err
		}
		kits = append(kits, models.Kit{Domain: src.Domain, Contract: src.Contract, Book: book})
	}
	return models.RulesScript(kits...)
}

// invite prints how the server is reached.
func (a *app) invite(address string) error {
	_, err := fmt.Fprintf(a.out, `# models are played at http://%[1]s; set this where taste runs:
export OPENAI_BASE_URL=http://%[1]s/v1
export ANTHROPIC_BASE_URL=http://%[1]s
export GEMINI_BASE_URL=http://%[1]s
`, address)
	return err
}

// mockLog tells of requests: in a line each, and in full in a file, but for their
// headers, in which keys are.
type mockLog struct {
	out  io.Writer
	file io.Writer // nil: none

	mu  sync.Mutex
	err error // the first that hit the file
}

// logged is a line of the file.
type logged struct {
	Number int64           `json:"number"`
	Path   string          `json:"path"`
	Role   string          `json:"role,omitempty"`
	Rule   string          `json:"rule,omitempty"`
	Status int             `json:"status"`
	Fault  string          `json:"fault,omitempty"`
	Body   json.RawMessage `json:"body"`
}

func (l *mockLog) entry(e *playing.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "%d %s %d%s\n", e.Number, e.Path, e.Status, told(e.Role, e.Rule, e.Fault))
	if l.file == nil || l.err != nil {
		return
	}
	line := logged{e.Number, e.Path, e.Role, e.Rule, e.Status, e.Fault, e.Body}
	if !json.Valid(e.Body) {
		line.Body, _ = json.Marshal(string(e.Body))
	}
	l.err = json.NewEncoder(l.file).Encode(line)
}

func (l *mockLog) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// told lists what there is to tell.
func told(words ...string) string {
	var out string
	for _, w := range words {
		if w != "" {
			out += " · " + w
		}
	}
	return out
}
