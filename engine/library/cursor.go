package library

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"vaultdispatcher/engine/mcp"
)

// A cursor is how far an answer has come, and a sum of the call that it belongs to.

func (c *call) sumCall() string {
	h := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q %q %d %d", c.tool, c.Query, c.Note, c.arguments.Heading, c.Folder, c.Vault, c.From, c.To))
	return hex.EncodeToString(h[:6])
}

// readCursor reads the place where a call continues.
func (c *call) readCursor() error {
	if c.Cursor == "" {
		return nil
	}
	offset, sum, _ := strings.Cut(c.Cursor, "-")
	n, err := strconv.Atoi(offset)
	if err != nil || n <= 0 || n > 1<<30 || sum != c.sumCall() {
		return mcp.Refusal("This cursor belongs to another call; give back \"next\" with the same arguments.")
	}
	c.offset = n
	return nil
}

// cursorAt is the cursor of this call for an answer that has come so far.
func (c *call) cursorAt(offset int) string { return strconv.Itoa(offset) + "-" + c.sumCall() }

// list is an answer of several results.
type list[T any] struct {
	Results []T    `json:"results"`
	Cursor  string `json:"next,omitempty"`
	Notice  string `json:"notice,omitempty"`
}

// fillList fills an answer from the results that follow the cursor: as many as were asked for and
// fit. show makes a result of the nth, and says whether it may be seen and how long it is.
func fillList[T any](c *call, count int, show func(n int) (T, int, bool)) list[T] {
	out := list[T]{Results: []T{}}
	bytes := 0
	for n := c.offset; n < count; n++ {
		if len(out.Results) == c.Limit || bytes > maxBytes {
			out.Cursor = c.cursorAt(n)
			break
		}
		result, size, ok := show(n)
		if ok {
			out.Results, bytes = append(out.Results, result), bytes+size
		}
	}
	out.Notice = c.silence()
	return out
}
