// Package lax validates JSON values the way pydantic 2 does in its lax mode:
// which values count as an int, a float, a string, a literal, a list or a
// model, what they are turned into, and how a failure is worded.
//
// A Check collects every issue of one model; the accessors return zero values
// where a value does not fit. Wordings follow pydantic 2.14 and are an
// approximation where a value is an instance of a model.
package lax
