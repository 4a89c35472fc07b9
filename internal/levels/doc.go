// Package levels holds the rules of the repository that tests keep: import levels,
// and what packages below the commands must not touch.
package levels
