package kinds

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/wording"
)

// A comparison has a row for each note and a column for what several of them have: a property of the
// same name, or a heading with a single sentence below it.

const (
	mostColumns = 6
	mostRows    = 60
)

// column is a property or a heading that several notes have.
type column struct {
	Name      string
	IsHeading bool
}

func makeTable(p *plan) bool {
	columns := p.findColumns()
	var rows []int
	for n, note := range p.Notes {
		for _, c := range columns {
			if text, _ := p.cellOf(n, c); text != "" && len(rows) < mostRows && note.Rank <= p.reach {
				rows = append(rows, n)
				break
			}
		}
	}
	if len(rows) < 2 || len(columns) == 0 {
		return false
	}
	var file bytes.Buffer
	sheet := csv.NewWriter(&file)
	names := []string{"Note"}
	p.print("| Note |")
	for _, c := range columns {
		names = append(names, writeCell(c.Name))
		p.print(" %s |", tableCell(c.Name))
	}
	sheet.Write(names)
	p.print("\n|%s\n", strings.Repeat(" --- |", len(columns)+1))
	for _, n := range rows {
		p.useNote(n)
		p.print("| %s |", strings.ReplaceAll(p.Notes[n].Link(nil, p.Notes[n].Title), "|", `\|`))
		record := []string{writeCell(p.Notes[n].Title)}
		for _, c := range columns {
			text, at := p.cellOf(n, c)
			record = append(record, writeCell(text))
			if text != "" && c.IsHeading {
				p.print(" %s (%s) |", tableCell(text), strings.ReplaceAll(p.Cite(at, "more"), "|", `\|`))
			} else {
				p.print(" %s |", tableCell(text))
			}
		}
		sheet.Write(record)
		p.print("\n")
	}
	sheet.Flush()
	p.Files = []File{{".csv", file.Bytes()}}
	p.Lead = "Compared by " + strings.ToLower(strings.Join(plainNames(columns), ", ")) + "."
	p.Count = wording.Count(len(rows), "row")
	return true
}

func plainNames(columns []column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, tableCell(c.Name))
	}
	return names
}

// findColumns are what most notes have, in the order in which the notes name them.
func (p *plan) findColumns() []column {
	in := make(map[column]int)
	var order []column
	for n, note := range p.Notes {
		seen := make(map[column]bool)
		add := func(c column) {
			if c.Name != "" && !seen[c] && note.Rank <= p.reach {
				seen[c] = true
				if in[c]++; in[c] == 1 {
					order = append(order, c)
				}
			}
		}
		for _, prop := range note.Properties {
			if !material.IsHousekeeping(prop.Key) && material.IsFact(prop.Value) {
				add(column{strings.ToLower(prop.Key), false})
			}
		}
		for at, b := range note.Blocks {
			if c := (column{asHeading(b.Text), true}); b.Kind == material.Heading && !strings.HasSuffix(b.Text, "?") && isAlone(note.Blocks, at) {
				if text, _ := p.cellOf(n, c); text != "" {
					add(c)
				}
			}
		}
	}
	var list []column
	for need := len(p.Notes); need >= 2 && len(list) < mostColumns; need-- {
		for _, c := range order {
			if in[c] == need && len(list) < mostColumns {
				list = append(list, c)
			}
		}
	}
	return list
}

// isAlone reports whether exactly one block follows below a heading.
func isAlone(blocks []material.Block, b int) bool {
	return b+1 < len(blocks) && blocks[b+1].Kind == material.Paragraph && (b+2 == len(blocks) || blocks[b+2].Kind == material.Heading && len(blocks[b+2].Path) <= len(blocks[b].Path))
}

// cellOf is what a note says in a column, and where.
func (p *plan) cellOf(n int, c column) (string, material.Sentence) {
	note := p.Notes[n]
	if !c.IsHeading {
		for _, prop := range note.Properties {
			if strings.EqualFold(prop.Key, c.Name) {
				if !material.IsFact(prop.Value) {
					return "", material.Sentence{}
				}
				return material.Plain(prop.Value), material.Sentence{}
			}
		}
		return "", material.Sentence{}
	}
	for b, block := range note.Blocks {
		if block.Kind != material.Heading || asHeading(block.Text) != c.Name {
			continue
		}
		if answers := material.AnswersBelow(n, note.Blocks, b); len(answers) == 1 && isAlone(note.Blocks, b) {
			return answers[0].Plain, answers[0]
		}
	}
	return "", material.Sentence{}
}

// tableCell is a text in a cell of a markdown table.
func tableCell(text string) string {
	text = putInline(material.Plain(text))
	if runes := []rune(text); len(runes) > 160 {
		text = string(runes[:159]) + "…"
	}
	return strings.NewReplacer("|", "/", "[", "(", "]", ")").Replace(text)
}

var tableForm = draft.Form{
	Product: "a comparison table", Item: "one cell", Words: 300,
	Fields: []draft.Field{
		{Name: "row", Meaning: "what is compared, the same words in each cell of its row"},
		{Name: "column", Meaning: "in which respect, the same words in each cell of its column; at most six"},
		{Name: "text", Meaning: "what the passages say of it, in at most fifteen words"},
	},
}

// fillTable puts the cells where their rows and columns meet, in the order in which these came.
func fillTable(p *plan, parts []draft.Part) bool {
	var rows, columns []string
	cells := make(map[[2]string]draft.Item)
	for _, i := range parts[0].Items {
		row, column := tableCell(i.Text["row"]), tableCell(i.Text["column"])
		if !slices.Contains(columns, column) && len(columns) < mostColumns {
			columns = append(columns, column)
		}
		if !slices.Contains(rows, row) && len(rows) < mostRows {
			rows = append(rows, row)
		}
		if _, taken := cells[[2]string{row, column}]; !taken {
			cells[[2]string{row, column}] = i
		}
	}
	if len(rows) < 2 {
		return false
	}
	var file bytes.Buffer
	sheet := csv.NewWriter(&file)
	head := []string{""}
	for _, c := range columns {
		head = append(head, writeCell(c))
	}
	sheet.Write(head)
	p.print("| | %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)+1))
	for _, row := range rows {
		record := []string{writeCell(row)}
		p.print("| %s |", row)
		for _, column := range columns {
			i, there := cells[[2]string{row, column}]
			if !there {
				p.print(" |")
				record = append(record, "")
				continue
			}
			text := tableCell(i.Text["text"])
			record = append(record, writeCell(text))
			p.print(" %s |", strings.ReplaceAll(p.quotePart(text, sentenceOf(i, "text")), "|", `\|`))
		}
		sheet.Write(record)
		p.print("\n")
	}
	sheet.Flush()
	p.Files = []File{{".csv", file.Bytes()}}
	p.Lead = "Compared by " + strings.ToLower(strings.Join(columns, ", ")) + "."
	p.Count = wording.Count(len(rows), "row")
	return true
}
