// Package builtin holds what the domains that the program carries itself have
// in common: how their files are read, the dice of their worlds, and the people
// who live in them.
package builtin
