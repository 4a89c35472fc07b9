// Package view writes recorded conversations, their scores and tasks for people to
// read in a terminal: lists of simulations, one simulation, two that parted.
//
// What conversations hold is made harmless for terminals: control characters are
// spelt out.
package view
