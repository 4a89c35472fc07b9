// Package results reads, writes and scores results files of τ²-bench: what was
// simulated, by whom, on which tasks, with which rewards.
//
// Files are read and written without loss, as package tau does it: keys that
// have no field here stay where they are. Both layouts are known, one file and
// a folder with a file a simulation.
package results
