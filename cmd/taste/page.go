package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"taste/view"
)

// pageFlags are those of everything that people read page by page.
type pageFlags struct {
	full  bool
	width int
	color string
}

func (f *pageFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.full, "full", false, "shorten nothing")
	fs.IntVar(&f.width, "width", 0, "columns of a line (default: the terminal's, else 100)")
	fs.StringVar(&f.color, "color", "auto", "colours: auto (on a terminal), always (as for less -R) or never")
}

// page makes a page of the width and colours that the output bears.
func (a *app) page(f *pageFlags) (*view.Page, error) {
	p := &view.Page{Width: f.width, Full: f.full}
	switch {
	case f.width < 0 || f.width > 0 && f.width < view.MinWidth:
		return nil, usage(fmt.Errorf("--width %d", f.width), "want at least %d", view.MinWidth)
	case f.color == "auto":
		p.Color = isTerminal(a.out) && os.Getenv("NO_COLOR") == ""
	case f.color == "always" || f.color == "never":
		p.Color = f.color == "always"
	default:
		return nil, usage(fmt.Errorf("--color %q", f.color), "want auto, always or never")
	}
	if f.width == 0 {
		p.Width = max(view.MinWidth, widthOf(100, a.out, a.log)) // a pager's terminal is that of the log
	}
	return p, nil
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is that of the first that is a terminal.
func widthOf(otherwise int, streams ...any) int {
	for _, s := range streams {
		if f, ok := s.(*os.File); ok {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
				return w
			}
		}
	}
	return otherwise
}
