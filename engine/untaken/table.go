package untaken

import (
	"bytes"
	"strings"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// delimiters is the line below the head of a table (https://github.github.com/gfm/#delimiter-row).
var delimiters = lazyregexp.New(`^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// findTables returns the lines of a note, counted from 1, that are rows of tables, but for rows of one cell without a |.
// note.Parse takes only those that begin with a | for such.
func findTables(src []byte) map[int]bool {
	if bytes.IndexByte(src, '|') < 0 {
		return nil
	}
	rows := make(map[int]bool)
	lines := note.Lines(src)
	for i := 1; i < len(lines); i++ {
		marks, text := cutMarks(lines[i])
		above, head := cutMarks(lines[i-1])
		if !strings.Contains(text, "|") || strings.Count(marks, ">") != strings.Count(above, ">") || !delimiters().MatchString(text) || countCells(head) != countCells(text) {
			continue
		}
		rows[i] = true
		for i++; i < len(lines); i++ {
			more, cells := cutMarks(lines[i])
			if strings.TrimSpace(cells) == "" || strings.Trim(more, "> \t") != "" || strings.Count(more, ">") != strings.Count(marks, ">") {
				break
			}
			rows[i+1] = strings.Contains(cells, "|")
		}
	}
	return rows
}

// cutMarks cuts a line behind its quote and list marks. The dash of a delimiter is none.
func cutMarks(line string) (marks, text string) {
	end := note.LeadingMarks([]byte(line))
	if rest := strings.TrimLeft(line, "> \t"); strings.HasPrefix(rest, "-") && delimiters().MatchString(rest) {
		end = len(line) - len(rest)
	}
	return line[:end], line[end:]
}

// countCells counts the cells of a row.
func countCells(row string) int {
	row = strings.TrimSpace(strings.ReplaceAll(row, `\|`, ""))
	return strings.Count(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"), "|") + 1
}
