// Package trials makes the simulations of an evaluation: each task of a set by an
// agent and a user, several times, scored as they end.
//
// A System has a directory of its own with the plan of what is made, a journal
// that grows by a line with every simulation that ends, and the results in
// τ²-bench's format. Whatever kills the program, simulations that have ended are
// kept; with an equal plan the rest is made. A fault of the machinery leaves its
// simulation missing, to be made again.
//
// Seeds and names of simulations follow from the plan, results stand in the order
// of tasks and trials: how many are under way at once changes times alone.
package trials
