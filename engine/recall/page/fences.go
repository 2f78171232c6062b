package page

import (
	"bytes"
	"strings"

	"vaultdispatcher/engine/note"
)

// codeReader follows the code in lines that are read one after the other. Its zero value is outside of code.
type codeReader struct {
	ending string // the mark that ends the code; "" outside
	closer string // the line that ends the code above without its quote marks, where the line taken last has fewer
	marks  int    // quote marks before each of its lines; a line with fewer ends it
	width  int    // columns that its lines are indented below the mark of an item; 0 = as they like

	isInner bool // a quote mark follows the mark of an item
}

// isCode takes the next line and reports whether it is code; the lines that begin and end code are. marks is the
// number of quote marks before the text of the line.
func (r *codeReader) isCode(line string) (is bool, marks int) {
	left := ""
	if r.ending != "" {
		text, marks := cutQuoteMarks(line, r.marks)
		body := strings.TrimSpace(text)
		isInItem := body == "" || indentWidth(text) >= r.width || closesFence(body, r.ending)
		switch {
		case marks < r.marks && r.isInner: // a fence inside an item, which the missing quote mark ends
		case marks < r.marks:
			left = strings.Repeat(" ", r.width) + r.ending
		case isInItem:
			if r.closer = ""; closesFence(body, r.ending) {
				r.ending = ""
			}
			return true, marks
		}
	}
	*r = codeReader{closer: left}
	body := strings.TrimLeft(line, " \t")
	for {
		rest := body[itemWidth(body):]
		if r.width += len(body) - len(strings.TrimLeft(rest, " \t")); strings.HasPrefix(body, ">") {
			rest, r.isInner = body[1:], r.isInner || r.width > 0
			r.marks, r.width = r.marks+1, 0
		}
		if len(rest) == len(body) {
			break
		}
		body = strings.TrimLeft(rest, " \t")
	}
	if r.width > 0 && r.marks == 0 {
		r.width += indentWidth(line)
	}
	r.ending = fenceEnd(strings.TrimSpace(body))
	return r.ending != "", r.marks
}

func hasCode(text string) bool {
	var r codeReader
	for line := range strings.Lines(text) {
		if is, _ := r.isCode(line); is {
			return true
		}
	}
	return false
}

// codeHead returns the line that begins the code in which a quoted block ends; the zero span where it ends in none.
func (p *Page) codeHead(b Block) (head note.Span) {
	var r codeReader
	for _, span := range b.readSpans(true) {
		at := span.Start
		for line := range bytes.Lines(p.Source[span.Start:span.End]) {
			text, begins := bytes.TrimRight(line, "\r\n"), r.ending == ""
			if r.isCode(string(text)); r.ending == "" {
				head = note.Span{}
			} else if begins || r.closer != "" {
				head = note.Span{Start: at, End: at + len(text)}
			}
			at += len(line)
		}
	}
	return head
}

// closeFences ends code that a cut or a hidden line has left open; in doubt where an item ends it, one more line ends it.
func closeFences(text string) string {
	until := ""
	for line := range strings.Lines(text) {
		for line = strings.TrimSpace(line); until == "" && itemWidth(line) > 0; {
			line = strings.TrimSpace(line[itemWidth(line):])
		}
		if until == "" {
			until = fenceEnd(line)
		} else if closesFence(line, until) {
			until = ""
		}
	}
	if until != "" {
		return strings.TrimRight(text, "\n") + "\n" + until
	}
	return text
}

// fenceEnd is the run that ends the fence which body opens, "" if it opens none.
func fenceEnd(body string) string {
	if strings.HasPrefix(body, "$$") && !strings.Contains(body[2:], "$$") {
		return "$$"
	}
	for _, c := range []string{"`", "~"} {
		n := len(body) - len(strings.TrimLeft(body, c))
		if n >= 3 && (c == "~" || !strings.Contains(body[n:], c)) {
			return body[:n]
		}
	}
	return ""
}

func closesFence(body, end string) bool {
	if end == "$$" {
		return strings.HasSuffix(strings.TrimSpace(body), end)
	}
	return strings.HasPrefix(body, end) && strings.Trim(body, end[:1]+" \t") == ""
}
