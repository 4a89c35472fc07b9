package main

import (
	"fmt"
	"os"
	"runtime/pprof"

	"github.com/spf13/cobra"
)

// profiled adds --cpuprofile to every command: where the time went, in the form
// that `go tool pprof` reads.
func profiled(root *cobra.Command) {
	var path string
	var file *os.File
	root.PersistentFlags().StringVar(&path, "cpuprofile", "", "write a CPU profile to this file")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if path == "" {
			return nil
		}
		f, err := os.Create(path)
		if err != nil {
			return usage(fmt.Errorf("write profile: %w", err), "name a file that can be written")
		}
		file = f
		return pprof.StartCPUProfile(f)
	}
	root.PersistentPostRunE = func(*cobra.Command, []string) error {
		if file == nil {
			return nil
		}
		pprof.StopCPUProfile()
		return file.Close()
	}
}
