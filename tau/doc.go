// Package tau is τ²-bench's data model of a task and its JSON.
//
// Tasks are read and written without loss: a value that was read keeps every
// key, known or not, at every level, in its order; changing a typed field
// changes that key alone. A value made by a program is written with upstream's
// keys only and always spells out reward_basis.
package tau
