package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// labels are the files' names, with as many of their folders as it takes to
// tell them apart; what is given twice is numbered.
func labels(files []string) []string {
	paths, depth, out := make([][]string, len(files)), make([]int, len(files)), make([]string, len(files))
	for i, f := range files {
		paths[i] = strings.Split(filepath.ToSlash(filepath.Clean(f)), "/")
	}
	for deeper := clashing(out); len(deeper) > 0; deeper = clashing(out) {
		grown := false
		for _, i := range deeper {
			if depth[i] < len(paths[i]) {
				depth[i]++
				grown = true
			}
			out[i] = strings.Join(paths[i][len(paths[i])-depth[i]:], "/")
		}
		if !grown {
			return numbered(out)
		}
	}
	return out
}

// clashing lists the indices of labels that are empty or there twice.
func clashing(labels []string) []int {
	seen := map[string]int{"": 1}
	for _, l := range labels {
		seen[l]++
	}
	var out []int
	for i, l := range labels {
		if seen[l] > 1 {
			out = append(out, i)
		}
	}
	return out
}

// numbered tells equal labels apart.
func numbered(labels []string) []string {
	out, seen := slices.Clone(labels), map[string]int{}
	for _, i := range clashing(labels) {
		seen[labels[i]]++
		out[i] = fmt.Sprintf("%s (%d)", labels[i], seen[labels[i]])
	}
	return out
}
