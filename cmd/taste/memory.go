package main

import (
	"os"
	"runtime/debug"
)

// Of the heap that is left after a collection, how much may be allocated until
// the next one, in percent, and how large the process may grow by that, in bytes.
const (
	heapGrowth  = 300
	memoryLimit = 384 << 20
)

// boundMemory trades memory for time, up to a limit: collections are rare while
// the heap is small. What the user asked of the Go runtime has precedence.
func boundMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
