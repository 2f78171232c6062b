package kinds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vaultdispatcher/engine/broadcast/draft"
	"vaultdispatcher/engine/broadcast/material"
)

// This file is what the kinds have in common where an agent writes them.

// NeedsAgent reports whether only an agent can make a kind.
func (k Kind) NeedsAgent() bool { return k.make == nil }

// Work is what an agent is to write for a kind, out of so many bytes of the best passages.
func (k Kind) Work(set *material.Set, o Options, bytes int) draft.Work {
	w := draft.Work{Form: k.form, Title: set.Title, Words: o.Words, Lang: o.Lang, Reader: o.Reader, Sources: k.findSources(set, bytes)}
	if k.Name == "dialogue" || k.Name == "audio" {
		w.Voices = usualVoices
		if len(o.Voices) > 1 {
			w.Voices = o.Voices[:2]
		}
		w.Form = withVoices(w.Form, w.Voices)
	}
	return w
}

// Fill writes what an agent has drafted; false says that it is too little.
func (k Kind) Fill(set *material.Set, d draft.Draft, agent string) (Made, bool) {
	p := &plan{Set: set, cited: make(map[int]int), reach: material.Related}
	p.Author = agent
	if len(d.Parts) == 0 || !k.fill(p, d.Parts) || len(p.Used) == 0 {
		return Made{}, false
	}
	return p.finish(k), true
}

// sentenceOf returns a field of an item as a sentence of the item's first source, with its other sources as copies.
// The sentence has no markup, so that all links of a work come from this program.
func sentenceOf(i draft.Item, field string) material.Sentence {
	text := material.Plain(i.Text[field])
	var all []material.Sentence
	for _, s := range i.Sources[:min(len(i.Sources), mostCites)] {
		all = append(all, material.Sentence{Text: text, Plain: text, Note: s.Note, Block: s.Block})
	}
	all[0].Copies = all[1:]
	return all[0]
}

const mostCites = 3 // of one item

func (p *plan) quoteItem(i draft.Item, field string) string {
	return p.quoteSentence(sentenceOf(i, field))
}

func (p *plan) printTitle(part draft.Part) { p.print("## %s\n\n", asHeading(part.Title)) }

// lead is the first thing that is said.
func (p *plan) lead(parts []draft.Part, field string) { p.Lead = p.quoteItem(parts[0].Items[0], field) }

const (
	mostPassage = 1500 // bytes of one passage
	besides     = 80   // bytes of its id and headings
	leastBytes  = 2000
)

// passage is a part of a note that may become a source.
type passage struct {
	draft.Source
	score float64
}

// findSources returns the passages that say most of the set, within bytes: first the best passage of each note, then
// the others, by score. None is cut. They are in the order of the notes.
func (k Kind) findSources(set *material.Set, bytes int) []draft.Source {
	all := passagesOf(set)
	if k.Name == "faq" {
		for _, a := range set.Asked {
			text := "Asked on " + a.Day + ": " + a.Question + "\nAnswered: " + strings.Join(a.Answer, " ")
			all = append(all, passage{draft.Source{Location: material.Plain(set.Notes[a.Note].Title), Text: text, Note: a.Note, Block: material.NoBlock}, 1})
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].score, all[a].score) })
	seen := make(map[int]bool)
	var first, rest []int
	for _, i := range order {
		if n := all[i].Note; !seen[n] {
			seen[n] = true
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	left := max(bytes, leastBytes)
	var chosen []int
	for _, i := range append(first, rest...) {
		if need := len(all[i].Text) + besides; need <= left {
			left -= need
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	list := make([]draft.Source, len(chosen))
	for n, i := range chosen {
		list[n] = all[i].Source
		list[n].ID = fmt.Sprintf("S%d", n+1)
	}
	return list
}

// passagesOf are the sections of all notes, long ones in several parts, each with how much it says.
func passagesOf(set *material.Set) []passage {
	p := &plan{Set: set}
	sentences := p.Sentences()
	scores := make(map[[2]int]float64) // by note and block
	for i, score := range p.rankSentences(sentences).Scores {
		at := [2]int{sentences[i].Note, sentences[i].Block}
		scores[at] = max(scores[at], score)
	}
	var all []passage
	for n := range set.Notes {
		note, last := &set.Notes[n], ""
		begun := len(all)
		for b, block := range note.Blocks {
			text := strings.TrimSpace(strings.Join(strings.Fields(block.Text), " "))
			if block.Kind == material.Heading || text == "" {
				continue
			}
			if block.Kind == material.Item {
				text = "- " + text
			}
			section := strings.Join(block.Path, " › ")
			if len(all) == begun || section != last || len(all[len(all)-1].Text)+len(text) > mostPassage {
				where := strings.Trim(material.Plain(note.Title)+" › "+section, " ›")
				if note.Date != "" {
					where += " (" + note.Date + ")"
				}
				all = append(all, passage{draft.Source{Location: where, Note: n, Block: b}, 0})
			}
			last = section
			at := &all[len(all)-1]
			at.Text += text + "\n"
			at.score += scores[[2]int{n, b}] / float64(1+strings.Count(at.Text, "\n"))
		}
	}
	return all
}
