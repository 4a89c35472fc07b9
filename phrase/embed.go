package phrase

import _ "embed"

// Common is the part of a book that every domain shares; load it before the
// domain's own file.
//
//go:embed common.yaml
var Common []byte
