// Package kmedoids clusters items around K of their own, given all pairwise
// distances: by the alternating algorithm and by FasterPAM, both with medoids
// that may be frozen.
package kmedoids
