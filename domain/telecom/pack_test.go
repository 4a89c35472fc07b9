package telecom

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"testing"

	"taste/env"
	"taste/env/native/nativetest"
	"taste/internal/shared"
)

func telecomPack(t *testing.T) *env.Domain {
	t.Helper()
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", "tau2-telecom"), env.Registry{"telecom": Native})
	if err != nil {
		t.Fatal(err)
	}
	return pack.Domain
}

// TestPolicies: the hashes are those of the texts that τ²-bench 1.0.1 gives to
// agents, with the manual or the workflow, with a user or alone.
func TestPolicies(t *testing.T) {
	d := telecomPack(t)
	for name, want := range map[string]string{
		"":              "065b48503bf780153fc671455cdfddb85b4c6ffb11e2ea93bd940233d804c3e9",
		"solo":          "71b10d43f320b7929746bd867281322bb0b692086f155c2105191d64a04d0fd5",
		"workflow":      "4713ad7b8c70d1767f29352410dc0a1eeec46b62ef218987e06afec276b75fdb",
		"workflow_solo": "9425f99b3392be03808fe9a8f45edd4885103ab90efc384e68f94695cfb74589",
	} {
		other := d
		if name != "" {
			var err error
			if other, err = d.WithPolicy(name); err != nil {
				t.Fatal(err)
			}
		}
		if sum := sha256.Sum256([]byte(other.Policy)); hex.EncodeToString(sum[:]) != want {
			t.Errorf("policy %q has another hash", name)
		}
	}
}

// TestSolo's answers are those of τ²-bench 1.0.1 in solo mode.
func TestSolo(t *testing.T) {
	nativetest.Script(t, telecomPack(t).Solo().Environment(), `
		assistant toggle_data {} → Mobile Data is now OFF.↵Status Bar: 📶⁴ Excellent | 5G | 📵 Data Disabled | 🔋 80%
		user toggle_data {} → Error: User tool calls are not allowed in solo mode
		assistant get_customer_by_id {"customer_id": "C1001"} → {"customer_id": "C1001",…
		assistant nope {} → Error: Tool 'nope' not found.
		assistant grant_app_permission {"app_name": "x"} → Error: TelecomUserTools.grant_app_permission() missing 1 required positional argument: 'permission'
	`)
}
