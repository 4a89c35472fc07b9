package library

import (
	"embed"

	"taste/domain/builtin"
	"taste/env"
	"taste/env/native"
	"taste/tau"
)

//go:embed policy.md tools.json seeds.json contract.yaml phrases*.yaml
var folder embed.FS

var files = builtin.Files{FS: folder}

// Builtin returns the library of a world seed.
func Builtin(worldSeed uint64) (*env.Domain, error) {
	return files.Domain(env.Domain{Name: "library", Policy: files.Text(builtin.PolicyFile)}, worldSeed, native.NewState(world(worldSeed).state(), references...))
}

// Seeds returns the seed tasks, which fit every world.
func Seeds() ([]tau.Task, error) { return files.Seeds() }

// Contract returns the content of the contract file.
func Contract() []byte { return []byte(files.Text(builtin.ContractFile)) }

// Phrases returns the content of the files of the phrase book.
func Phrases() [][]byte { return files.Phrases() }
