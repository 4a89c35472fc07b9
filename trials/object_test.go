package trials_test

import (
	"testing"

	"taste/env/native/nativetest"
	"taste/pyjson"
)

// object reads a JSON object.
func object(t testing.TB, text string) *pyjson.Object {
	t.Helper()
	return nativetest.Decode(t, text).(*pyjson.Object)
}
