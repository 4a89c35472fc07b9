package kmedoids

import "slices"

// Alternate clusters by assigning every item to its nearest medoid and moving
// every free medoid to the member of its cluster with the least summed distance
// to the others, until the set of medoids is unchanged or the iterations are
// used up. Of equally good members the present medoid is kept, then the first.
func Alternate(d Distances, o Options) (Result, error) {
	return bestStart(d, o, func(medoids []int) Result {
		for n := 1; ; n++ {
			res := assign(d, medoids)
			res.Iterations = n
			next := update(d, res, len(o.Frozen))
			if n == o.iterations() || slices.Equal(next, medoids) {
				return res
			}
			medoids = next
		}
	})
}

func update(d Distances, res Result, frozen int) []int {
	members := make([][]int, len(res.Medoids))
	for i, p := range res.Assign {
		members[p] = append(members[p], i)
	}
	next := slices.Clone(res.Medoids)
	for p := frozen; p < len(next); p++ {
		next[p] = centre(d, members[p], next[p])
	}
	return next
}

// centre is the member with the least sum of distances to all members.
func centre(d Distances, members []int, present int) int {
	best, bestSum := present, sumTo(d, members, present)
	for _, m := range members {
		if s := sumTo(d, members, m); s < bestSum {
			best, bestSum = m, s
		}
	}
	return best
}

func sumTo(d Distances, members []int, m int) uint64 {
	row, sum := d.row(m), uint64(0)
	for _, i := range members {
		sum += uint64(row[i])
	}
	return sum
}
