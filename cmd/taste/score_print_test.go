package main

import (
	"slices"
	"testing"

	"taste/stats"
)

func TestManyTrialsFitOnALine(t *testing.T) {
	var all []stats.PassK
	for k := 1; k <= 60; k++ {
		all = append(all, stats.PassK{K: k})
	}
	var got []int
	for _, k := range shownPass(all) {
		got = append(got, k.K)
	}
	if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 60}; !slices.Equal(got, want) {
		t.Errorf("shown are %v, want %v", got, want)
	}
}
