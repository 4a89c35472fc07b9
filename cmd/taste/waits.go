package main

import (
	"fmt"
	"sync"
	"time"

	"taste/llm"
)

// waitsEvery is the time between two lines of the same words about calls that
// are waited for: when a provider fails, all calls in flight fail alike.
const waitsEvery = 10 * time.Second

// waits makes what is told of calls that are tried again.
func (a *app) waits() func(model string, err *llm.Error, wait time.Duration) {
	var mu sync.Mutex
	told := map[string]time.Time{}
	return func(_ string, err *llm.Error, wait time.Duration) {
		text := fmt.Sprintf("%v; again in %s", err, wait.Round(time.Second))
		mu.Lock()
		defer mu.Unlock()
		if last, ok := told[text]; ok && a.now().Sub(last) < waitsEvery {
			return
		}
		told[text] = a.now()
		fmt.Fprintln(a.log, text)
	}
}
