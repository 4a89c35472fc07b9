// Package wire is the HTTP beneath all adapters: what went wrong, in the same
// words for every provider, before an SDK sees it.
package wire
