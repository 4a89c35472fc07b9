package telecom

import (
	"embed"
	"fmt"

	"taste/domain/builtin"
	"taste/env"
	"taste/tau"
)

//go:embed policy.md tools.json seeds.json contract.yaml phrases*.yaml
var folder embed.FS

var files = builtin.Files{FS: folder}

// BuiltinPack is the pack name of the built-in domain.
const BuiltinPack = "builtin-telecom"

// Builtin returns the domain that the program carries itself: its own policy and
// tool descriptions over World(worldSeed) and a phone without a fault, with the
// native tools that packs use too.
func Builtin(worldSeed uint64) (*env.Domain, error) {
	tools, err := files.Tools()
	if err != nil {
		return nil, fmt.Errorf("build telecom domain: %w", err)
	}
	return env.NewDomain(env.Domain{
		Name: "telecom", Pack: BuiltinPack, Semantics: "tau2", Policy: Policy(), Tools: tools, Clock: now,
		License: "Apache-2.0", Source: fmt.Sprintf("generated, world seed %d", worldSeed),
		UserGuidelines: builtin.Guidelines(), UserToolGuidelines: builtin.ToolGuidelines(),
	}, NewState(World(worldSeed)))
}

// Seeds returns the built-in seed tasks. They stand on anchor records, so they
// fit every world.
func Seeds() ([]tau.Task, error) { return files.Seeds() }

// Policy returns the built-in policy text: the rules of the desk, and how
// phones are repaired.
func Policy() string { return files.Text(builtin.PolicyFile) }

// Contract returns the content of the domain's contract file.
func Contract() []byte { return []byte(files.Text(builtin.ContractFile)) }

// Phrases returns the content of the files of the domain's phrase book.
func Phrases() [][]byte { return files.Phrases() }
