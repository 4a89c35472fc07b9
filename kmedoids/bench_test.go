package kmedoids_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"taste/internal/shared"
	"taste/kmedoids"
	"taste/toolseq"
)

// readMatrix computes the distances of the reference input.
func readMatrix(tb testing.TB) kmedoids.Distances {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(shared.Dir(tb), "bench", "wed-2000.json"))
	if err != nil {
		tb.Skip("the reference input is missing: ", err)
	}
	var in struct {
		Tools     []string
		Type      []toolseq.Type
		Sequences [][]int
	}
	if err := json.Unmarshal(b, &in); err != nil {
		tb.Fatal(err)
	}
	m, err := toolseq.DistanceMatrix(context.Background(), toolseq.Vocab{Names: in.Tools, Types: in.Type}, in.Sequences, 2)
	if err != nil {
		tb.Fatal(err)
	}
	return kmedoids.Distances(m)
}

const seeds = 10

// median is the loss of the middle ones of ten runs.
func median(tb testing.TB, d kmedoids.Distances, o kmedoids.Options, cluster func(kmedoids.Distances, kmedoids.Options) (kmedoids.Result, error)) float64 {
	tb.Helper()
	var losses []int64
	for seed := range uint64(seeds) {
		o.Seed = seed
		res, err := cluster(d, o)
		if err != nil {
			tb.Fatal(err)
		}
		losses = append(losses, res.Loss)
	}
	slices.Sort(losses)
	return float64(losses[seeds/2-1]+losses[seeds/2]) / 2
}

func BenchmarkReference(b *testing.B) {
	d := readMatrix(b)
	for _, k := range []int{50, 114} {
		for name, cluster := range map[string]func(kmedoids.Distances, kmedoids.Options) (kmedoids.Result, error){
			"fasterpam": kmedoids.FasterPAM, "alternate": kmedoids.Alternate,
		} {
			for _, n := range []int{1, 4} {
				b.Run(fmt.Sprintf("%s/K=%d/starts=%d", name, k, n), func(b *testing.B) {
					var loss float64
					for b.Loop() {
						loss = median(b, d, kmedoids.Options{K: k, RandomStart: true, Starts: n}, cluster)
					}
					b.ReportMetric(loss, "loss")
					b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/seeds, "s/run")
				})
			}
		}
	}
}
