package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
)

const packAdvice = "a pack is a folder with a manifest.json that names its files; docs/pack.md describes it"

// packHead is the part of a pack's manifest that can be read without knowing
// its domain.
type packHead struct {
	dir       string
	Domain    any    `json:"domain"` // a string; an object in the manifest of a run
	Semantics string `json:"semantics"`
	Tools     string `json:"tools"`
	Splits    string `json:"splits"`
}

// readPackHead reads the head of a pack that commands can work with.
func readPackHead(dir string) (*packHead, error) {
	h := &packHead{dir: dir}
	if err := decodeFile(filepath.Join(dir, "manifest.json"), h); err != nil {
		return nil, usage(err, packAdvice)
	}
	return h, h.check()
}

// check refuses folders that are taken for packs of τ²-bench.
func (h *packHead) check() error {
	if _, ok := h.Domain.(map[string]any); ok {
		return usage(fmt.Errorf("%s is a run directory, no pack", h.dir), packAdvice)
	}
	if h.Semantics == "tau1" {
		return usage(fmt.Errorf("%s is a pack of τ-bench v1 (semantics tau1), which this command does not support yet", h.dir),
			"give a pack of τ²-bench (semantics tau2)")
	}
	return nil
}

// domain names the pack's domain.
func (h *packHead) domain() string {
	name, _ := h.Domain.(string)
	return name
}

// tools reads a pack's tool specifications and nothing else of it.
func (h *packHead) tools() ([]chat.ToolSpec, error) {
	file := h.Tools
	if file == "" {
		file = "tools.json"
	}
	var tools []chat.ToolSpec
	err := decodeFile(filepath.Join(h.dir, file), &tools)
	return tools, usage(err, packAdvice)
}

// loadPack loads a pack whose domain the program carries.
func loadPack(dir string) (*env.Pack, error) {
	if err := tau2Pack(dir); err != nil {
		return nil, err
	}
	return env.LoadPack(dir, registry())
}

// tau2Pack refuses what is taken for a pack of τ²-bench. What is wrong with a
// manifest is told by env.
func tau2Pack(dir string) error {
	h := &packHead{dir: dir}
	if err := decodeFile(filepath.Join(dir, "manifest.json"), h); err != nil {
		return nil
	}
	return h.check()
}

func decodeFile(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(pyjson.CutBOM(data), v); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
