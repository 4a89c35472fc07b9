// Package mock is the smallest domain of τ²-bench: tasks on a list, and a user
// with an inbox and tools of its own. It serves to test what two-sided domains
// need; its answers, errors and hashes are those of τ²-bench 1.0.1, byte for
// byte. It has no built-in world.
package mock
