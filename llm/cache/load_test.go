package cache

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"taste/chat"
	"taste/llm"
)

// With 32 calls of 200 ms in flight the provider bounds what is done, with 25 kB a
// call, budget, limits and the disk. All layers together cost a few percent; the
// bound is for machines that do other work at the same time.
func TestLayersCostLittleTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: run without -short")
	}
	const calls, flight, takes = 640, 32, 200 * time.Millisecond
	s := opened(t, file1(t))
	budget := llm.NewBudget(llm.Caps{Tokens: 1e12, Calls: calls}, &llm.Prices{})
	m, err := budget.Cap(llm.Retry(llm.NewLimiter(llm.Limits{MaxInFlight: flight}, time.Now).Limit(llm.Timeout(&echo{takes: takes}, time.Minute)), llm.Retries{}))
	if err != nil {
		t.Fatal(err)
	}
	m = s.Model(m)
	policy := strings.Repeat("Agents follow the policy. ", 800)
	tools := []llm.Tool{{Name: "f", Parameters: json.RawMessage(`{"type": "object", "description": "` + strings.Repeat("x", 5000) + `"}`)}}
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			r := &llm.Request{System: policy, Tools: tools, Messages: []llm.Message{{Role: chat.User, Text: fmt.Sprint(i)}}, MaxTokens: 100}
			if _, err := m.Call(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	least := takes * calls / flight
	if took := time.Since(begin); took > least*3/2 {
		t.Errorf("%d calls took %s, the provider alone %s", calls, took, least)
	} else {
		t.Logf("%d calls took %s, the provider alone %s", calls, took, least)
	}
}
