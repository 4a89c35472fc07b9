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

	// Where models play, the provider takes the time.
	patientGrowth = 50
	patientLimit  = 176 << 20
)

// boundMemory trades memory for time, up to a limit: collections are rare while
// the heap is small. What the user asked of the Go runtime has precedence.
func boundMemory() { bound(heapGrowth, memoryLimit) }

// saveMemory is for commands that wait for models: collections cost them nothing.
func saveMemory() { bound(patientGrowth, patientLimit) }

func bound(growth int, limit int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}
