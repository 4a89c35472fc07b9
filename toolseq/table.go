package toolseq

import "fmt"

// contexts numbers the contexts of an n-gram model. The n−1 tools before a
// position, padded on the left with BOS, are read as digits in base |V|+1
// where BOS is 0 and tool t is t+1.
type contexts struct {
	tools, order int // |V|, n
	size         int // (|V|+1)^(n−1)
	// shift[c] is context c without its oldest tool, one digit up.
	shift []int32
}

// maxCells bounds contexts × tools, so that tables can be plain arrays.
const maxCells = 1 << 23

func newContexts(tools, n int) (contexts, error) {
	c := contexts{tools: tools, order: n, size: 1}
	for range n - 1 {
		c.size *= tools + 1
		if c.size*tools > maxCells {
			return c, fmt.Errorf("size n-gram tables: n = %d over %d tools is more than %d cells; use a smaller n", n, tools, maxCells)
		}
	}
	c.shift = make([]int32, c.size)
	for ctx := range c.shift {
		if n > 1 {
			c.shift[ctx] = int32(ctx % (c.size / (tools + 1)) * (tools + 1))
		}
	}
	return c, nil
}

// next is the context after tool t was called in context ctx.
func (c *contexts) next(ctx, t int) int {
	if c.order == 1 {
		return 0
	}
	return int(c.shift[ctx]) + t + 1
}

// digits spells a context as its n−1 tools, −1 for BOS.
func (c *contexts) digits(ctx int) []int {
	d := make([]int, c.order-1)
	for i := len(d) - 1; i >= 0; i-- {
		d[i] = ctx%(c.tools+1) - 1
		ctx /= c.tools + 1
	}
	return d
}

// parse is the inverse of digits.
func (c *contexts) parse(digits []int) (int, error) {
	if len(digits) != c.order-1 {
		return 0, fmt.Errorf("read context %v: want %d tools", digits, c.order-1)
	}
	ctx := 0
	for _, d := range digits {
		if d < -1 || d >= c.tools {
			return 0, fmt.Errorf("read context %v: no tool %d", digits, d)
		}
		ctx = ctx*(c.tools+1) + d + 1
	}
	return ctx, nil
}

// table counts n-grams: cells[ctx*tools+t] is C(ctx, t).
type table struct {
	contexts
	cells []uint32
}

func newTable(c contexts) table {
	return table{contexts: c, cells: make([]uint32, c.size*c.tools)}
}

// row is the counts of all tools in one context.
func (t table) row(ctx int) []uint32 { return t.cells[ctx*t.tools : (ctx+1)*t.tools] }

// tableRow is one context of a table in JSON: the context's tools (−1 is BOS)
// and the count of each tool after it. Contexts never seen are left out.
type tableRow struct {
	Context []int    `json:"context"`
	Counts  []uint32 `json:"counts"`
}

// rows lists the seen contexts in ascending order.
func (t table) rows() []tableRow {
	rows := []tableRow{}
	for ctx := range t.size {
		if row := t.row(ctx); anyCount(row) {
			rows = append(rows, tableRow{t.digits(ctx), row})
		}
	}
	return rows
}

func anyCount(row []uint32) bool {
	for _, c := range row {
		if c != 0 {
			return true
		}
	}
	return false
}

// fill reads what rows listed into an empty table of the right shape.
func (t table) fill(rows []tableRow) error {
	for _, r := range rows {
		ctx, err := t.parse(r.Context)
		if err != nil {
			return err
		}
		if len(r.Counts) != t.tools {
			return fmt.Errorf("read counts of context %v: %d of them, want %d", r.Context, len(r.Counts), t.tools)
		}
		copy(t.row(ctx), r.Counts)
	}
	return nil
}
