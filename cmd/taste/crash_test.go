package main

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taste/run"
)

var (
	kills = flag.Int("kills", 6, "how often the crash test kills a run")
	tasks = flag.Int("tasks", 4, "tasks of the crash test's run")
)

func generate(dir string, workers int) *exec.Cmd {
	return exec.Command("taste", "generate", "airline", "--out", dir, "--tasks", strconv.Itoa(*tasks),
		"--attempts", "600", "--probe", "20", "--pool", "400", "--workers", strconv.Itoa(workers))
}

// finish runs a generation to its end and returns the directory's files.
func finish(t *testing.T, dir string, workers int) map[string]string {
	t.Helper()
	return ended(t, generate(dir, workers), dir)
}

// ended runs a command to its end and returns the files of a directory.
func ended(t *testing.T, c *exec.Cmd, dir string) map[string]string {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[e.Name()] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// differing lists the files whose bytes differ.
func differing(a, b map[string]string) []string {
	var out []string
	for name := range a {
		if a[name] != b[name] {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// A run killed at random moments, and taken up with another number of workers
// each time, ends with the bytes of one that was left alone.
func TestKilledRunEndsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("kills whole runs")
	}
	began := time.Now()
	want := finish(t, filepath.Join(t.TempDir(), "whole"), 1)
	whole := time.Since(began)
	if diff := cmp.Diff([]string(nil), differing(want, finish(t, filepath.Join(t.TempDir(), "workers"), 8))); diff != "" {
		t.Errorf("one worker and eight differ in %s", diff)
	}
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	dir, killed := filepath.Join(t.TempDir(), "killed"), 0
	for i := range *kills {
		if kill(t, generate(dir, 1+i%8), time.Duration(r.Int64N(int64(whole)))) {
			killed++
		} else if err := os.RemoveAll(dir); err != nil { // it was done: begin anew
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d runs killed, seed %d, a whole run takes %v", killed, *kills, seed, whole)
	if diff := cmp.Diff([]string(nil), differing(want, finish(t, dir, 2))); diff != "" {
		t.Errorf("seed %d: the killed run differs in %s", seed, diff)
	}
}

// Tasks of others that are made harder end with the same bytes, too, and nothing stays
// beside their folder.
func TestKilledEvolutionEndsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("kills whole runs")
	}
	dir := t.TempDir()
	before, whole, killed := filepath.Join(dir, "run"), filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	finish(t, before, 2)
	evolve := func(out string, workers int) *exec.Cmd {
		return exec.Command("taste", "evolve", before, "--out", out, "--workers", strconv.Itoa(workers))
	}
	began := time.Now()
	want := ended(t, evolve(whole, 1), whole)
	takes, seed := time.Since(began), uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range *kills {
		if !kill(t, evolve(killed, 1+i%8), time.Duration(r.Int64N(int64(takes)))) {
			if err := os.RemoveAll(killed); err != nil { // it was done: begin anew
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff([]string(nil), differing(want, ended(t, evolve(killed, 2), killed))); diff != "" {
		t.Errorf("seed %d: what was killed differs in %s", seed, diff)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// kill starts a command and kills it after a while; false if it ended before.
func kill(t *testing.T, c *exec.Cmd, after time.Duration) bool {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = c.Process.Kill() })
	defer timer.Stop()
	return c.Wait() != nil
}

// Ctrl-C ends a run with its own exit code and says how to go on.
func TestInterruptedRunSaysHowToGoOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	c := exec.Command("taste", "sample", "airline", "--attempts", "1000000", "--out", dir)
	var log strings.Builder
	c.Stderr = &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until training is under way
		if info, err := os.Stat(filepath.Join(dir, run.JudgementsFile)); err == nil && info.Size() > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if got := c.ProcessState.ExitCode(); got != codeInterrupted || !strings.Contains(log.String(), "interrupted") {
		t.Errorf("exit code %d, log %q", got, log.String())
	}
}
