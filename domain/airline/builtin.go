package airline

import (
	"embed"

	"taste/domain/builtin"
	"taste/env"
	"taste/tau"
)

//go:embed policy.md tools.json seeds.json contract.yaml phrases*.yaml
var folder embed.FS

var files = builtin.Files{FS: folder}

// Builtin returns the domain that the program carries itself: its own policy and
// tool descriptions over World(worldSeed), with the native tools that packs use
// too.
func Builtin(worldSeed uint64) (*env.Domain, error) {
	return files.Domain(env.Domain{Name: "airline", Policy: Policy(), Clock: now}, worldSeed, NewState(World(worldSeed)))
}

// Seeds returns the built-in seed tasks. They stand on anchor records, so they
// fit every world.
func Seeds() ([]tau.Task, error) { return files.Seeds() }

// Policy returns the built-in policy text.
func Policy() string { return files.Text(builtin.PolicyFile) }

// Contract returns the content of the domain's contract file.
func Contract() []byte { return []byte(files.Text(builtin.ContractFile)) }

// Phrases returns the content of the files of the domain's phrase book.
func Phrases() [][]byte { return files.Phrases() }
