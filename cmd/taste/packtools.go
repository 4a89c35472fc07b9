package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"taste/chat"
)

// packTools reads a pack's tool specifications and nothing else of it.
func packTools(dir string) ([]chat.ToolSpec, error) {
	const advice = "a pack is a folder with a manifest.json that names its tools"
	var manifest struct {
		Tools string `json:"tools"`
	}
	if err := decodeFile(filepath.Join(dir, "manifest.json"), &manifest); err != nil {
		return nil, usage(err, advice)
	}
	if manifest.Tools == "" {
		manifest.Tools = "tools.json"
	}
	var tools []chat.ToolSpec
	err := decodeFile(filepath.Join(dir, manifest.Tools), &tools)
	return tools, usage(err, advice)
}

func decodeFile(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
