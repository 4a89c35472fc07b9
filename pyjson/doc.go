// Package pyjson reads and writes JSON the way Python's json module does and
// spells values the way Python's str and repr do.
//
// A value is one of
//
//	nil, bool, string, int64, *big.Int (outside int64), float64,
//	[]any, *Object (a JSON object in its written order)
//
// so 100 (int64) and 100.0 (float64) stay apart. Integers of any size are
// exact. NaN, Infinity and -Infinity are accepted and written, as Python does
// by default. A lone surrogate escape is kept as its three WTF-8 bytes and
// written back as the same escape.
//
// Plain turns a value into Go's usual shapes (map[string]any for objects) and
// FromGo goes the other way.
package pyjson
