package phrase

import (
	_ "embed"
	"slices"
)

//go:embed common.yaml
var common []byte

//go:embed twist.yaml
var twist []byte

//go:embed device.yaml
var device []byte

// Common is the part of a book that every domain shares; load it before the
// domain's own file.
var Common = slices.Concat(common, []byte("\n---\n"), twist, []byte("\n---\n"), device)
