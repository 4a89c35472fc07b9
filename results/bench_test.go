package results_test

import (
	"context"
	"testing"

	"taste/results"
)

// BenchmarkRescore scores recorded runs anew in both modes, tasks set up and
// gold played included; the metric is simulations a second on one core.
func BenchmarkRescore(b *testing.B) {
	for _, domain := range domains {
		b.Run(domain, func(b *testing.B) {
			r, p := load(b, file(b, domain)), pack(b, domain)
			s := &results.Rescorer{Domain: p.Domain, Recorded: true, Workers: 1}
			for b.Loop() {
				if _, err := s.Run(context.Background(), r); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(r.Simulations))/b.Elapsed().Seconds(), "simulations/s")
		})
	}
}
