package telecom

import (
	"embed"
	"fmt"

	"taste/domain/builtin"
	"taste/env"
	"taste/tau"
)

//go:embed policy.md policy_solo.md manual.md workflow.md tools.json seeds.json contract.yaml phrases*.yaml
var folder embed.FS

var files = builtin.Files{FS: folder}

// Builtin returns the domain that the program carries itself: its own policy and
// tool descriptions over World(worldSeed) and a phone without a fault, with the
// native tools that packs use too.
func Builtin(worldSeed uint64) (*env.Domain, error) {
	return files.Domain(env.Domain{Name: "telecom", Policy: Policy(), Policies: Policies(), Clock: now}, worldSeed, NewState(World(worldSeed)))
}

// Seeds returns the built-in seed tasks. They stand on anchor records, so they
// fit every world.
func Seeds() ([]tau.Task, error) { return files.Seeds() }

// Files of the built-in policies beside the rules of the desk: what goes before
// these where there is no customer to talk to, and how phones are repaired, by
// causes or by steps.
const (
	soloFile     = "policy_solo.md"
	manualFile   = "manual.md"
	workflowFile = "workflow.md"
)

// Policy returns the built-in policy text: the rules of the desk, and how
// phones are repaired, by causes.
func Policy() string { return policy(desk(), manualFile) }

// Policies returns the further built-in policies, by the names that the τ²-bench
// pack gives to its own.
func Policies() map[string]string {
	alone := files.Text(soloFile) + desk()
	return map[string]string{"workflow": policy(desk(), workflowFile), "solo": policy(alone, manualFile), "workflow_solo": policy(alone, workflowFile)}
}

func desk() string { return files.Text(builtin.PolicyFile) }

// policy puts a policy together in the tags by which Upstream takes it apart.
func policy(rules, repairs string) string {
	return fmt.Sprintf("<main_policy>\n%s\n</main_policy>\n<tech_support_policy>\n%s\n</tech_support_policy>", rules, files.Text(repairs))
}

// Contract returns the content of the domain's contract file.
func Contract() []byte { return []byte(files.Text(builtin.ContractFile)) }

// Phrases returns the content of the files of the domain's phrase book.
func Phrases() [][]byte { return files.Phrases() }
