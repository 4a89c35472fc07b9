package results

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// Names inside a folder of results.
const (
	headFile  = "results.json"
	simFolder = "simulations"
)

// Layout is how results lie on disk.
type Layout string

// The layouts.
const (
	File   Layout = "file"   // one JSON file
	Folder Layout = "folder" // results.json without simulations, and simulations/ID.json
)

// Load reads results in either layout: a folder, its results.json, or a file,
// gzipped or not. Errors are *Error, or wrap fs.ErrNotExist.
func Load(path string) (*Results, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	if info.IsDir() {
		path = filepath.Join(path, headFile)
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	o, err := pyjson.DecodeObject(pyjson.CutBOM(data))
	if err != nil {
		return nil, &Error{path, "", fmt.Errorf("read JSON: %w", err)}
	}
	if o.Has("simulations") {
		return read(path, o)
	}
	return loadFolder(path, o)
}

func readFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(z)
	}
	if err != nil {
		return nil, &Error{path, "", fmt.Errorf("unpack: %w", err)}
	}
	return data, nil
}

// loadFolder reads the simulations beside a head: in the order of its index
// where it has one, else by file name.
func loadFolder(path string, head *pyjson.Object) (*Results, error) {
	r, err := read(path, head)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(filepath.Dir(path), simFolder)
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	byID := make(map[string]string, len(files))
	for _, f := range files {
		byID[strings.TrimSuffix(filepath.Base(f), ".json")] = f
	}
	order, err := indexed(path, head, byID)
	if err != nil {
		return nil, err
	}
	if head.Has("simulation_index") {
		head.Set("simulation_index", nil) // as in files: it is the folder's, and made anew for another one
	}
	for _, id := range order {
		s, err := loadSimulation(byID[id])
		if err != nil {
			return nil, err
		}
		r.Simulations = append(r.Simulations, s)
	}
	return r, r.check(path)
}

func loadSimulation(path string) (Simulation, error) {
	data, err := readFile(path)
	if err != nil {
		return Simulation{}, err
	}
	v, err := pyjson.Decode(pyjson.CutBOM(data))
	if err != nil {
		return Simulation{}, &Error{path, "", fmt.Errorf("read JSON: %w", err)}
	}
	s, err := ReadSimulation(v, "")
	if err != nil {
		return s, fault(path, err)
	}
	return s, nil
}

// indexed returns the ids of the simulations in order. An index has to name
// those that are there, no more and no fewer.
func indexed(path string, head *pyjson.Object, files map[string]string) ([]string, error) {
	r := chat.NewReader(head, "")
	entries, ok := r.List("simulation_index")
	if !ok {
		var ids []string
		for id := range files {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return ids, r.Err()
	}
	var ids []string
	for i, e := range entries {
		entry := chat.NewReader(e, fmt.Sprintf("simulation_index[%d]", i))
		id := entry.String("id")
		if err := entry.Err(); err != nil {
			return nil, fault(path, err)
		}
		if files[id] == "" {
			return nil, &Error{path, entry.At("id"), fmt.Errorf("the file %s/%s.json is missing", simFolder, id)}
		}
		ids = append(ids, id)
	}
	for id := range files {
		if !slices.Contains(ids, id) {
			return nil, &Error{path, "simulation_index", fmt.Errorf("%s/%s.json is there and not listed", simFolder, id)}
		}
	}
	return ids, nil
}

// Save writes results to a path that is new: a file, gzipped if its name ends
// in .gz, or a folder. An error wraps fs.ErrExist where something is there.
func Save(path string, r *Results, layout Layout) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("write results: %s: %w", path, fs.ErrExist)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write results: %w", err)
	}
	if layout == File {
		return writeAll(path, r)
	}
	if err := os.MkdirAll(filepath.Join(path, simFolder), 0o755); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	for i := range r.Simulations {
		s := &r.Simulations[i]
		if s.ID != filepath.Base(s.ID) || s.ID == "." || s.ID == ".." {
			return fmt.Errorf("write results: the id %q of a simulation is no file name", s.ID)
		}
		if err := writeJSON(filepath.Join(path, simFolder, s.ID+".json"), s.JSON()); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(path, headFile), r.folderHead())
}

// Replace writes results to a file in the place of what is there, whole or not at
// all.
func Replace(path string, r *Results) error { return writeAll(path, r) }

// folderHead is all but the simulations, and an index of them.
func (r *Results) folderHead() *pyjson.Object {
	w := r.head()
	chat.List(w, true, "tasks", r.Tasks, func(t *tau.Task) any { return t.JSON() })
	chat.List(w, true, "simulation_index", r.Simulations, func(s *Simulation) any {
		e := pyjson.NewObject("id", s.ID, "task_id", s.TaskID)
		j := s.JSON()
		for _, key := range []string{"trial", "reward", "termination_reason", "agent_cost", "duration"} {
			from := j
			if key == "reward" {
				from = orEmpty(s.RewardInfo)
			}
			v, _ := from.Get(key)
			e.Set(key, v)
		}
		return e
	})
	o := w.Object()
	o.Delete("simulations")
	return o
}

// writeAll writes all results to one file. Of the simulations one at a time is
// spelt out, for they are large.
func writeAll(path string, r *Results) error {
	head := *r
	head.Simulations = []Simulation{}
	data := append(pyjson.Append(nil, head.JSON(), indented), '\n')
	key := []byte("\n" + indented.Indent + `"simulations": [`) // no string has a bare end of line
	before, after, _ := bytes.Cut(data, append(key, ']'))
	return write(path, func(out io.Writer) error {
		_, err := out.Write(append(before, key...))
		for i := range r.Simulations {
			if err == nil {
				err = element(out, i, r.Simulations[i].JSON())
			}
		}
		if err == nil && len(r.Simulations) > 0 {
			_, err = out.Write([]byte("\n" + indented.Indent))
		}
		if err == nil {
			_, err = out.Write(append([]byte{']'}, after...))
		}
		return err
	})
}

// element writes the i-th element of a list that stands in the outermost object.
func element(out io.Writer, i int, o *pyjson.Object) error {
	end := "\n" + indented.Indent + indented.Indent
	data := []byte(end)
	if i > 0 {
		data = append([]byte{','}, data...)
	}
	data = append(data, bytes.ReplaceAll(pyjson.Append(nil, o, indented), []byte("\n"), []byte(end))...)
	_, err := out.Write(data)
	return err
}

// indented is how results are spelt.
var indented = pyjson.Style{Indent: "  "}

// writeJSON writes an object to a file.
func writeJSON(path string, o *pyjson.Object) error {
	return write(path, func(out io.Writer) error {
		_, err := out.Write(append(pyjson.Append(nil, o, indented), '\n'))
		return err
	})
}

// write lets pour write a file that appears whole or not at all, packed where its
// name asks for it.
func write(path string, pour func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write results: %w", err)
		}
	}()
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.tmp") // a run directory sweeps these
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // it is gone where all went well
	if strings.HasSuffix(path, ".gz") {
		z := gzip.NewWriter(f)
		err = errors.Join(pour(z), z.Close())
	} else {
		err = pour(f)
	}
	if err := errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
