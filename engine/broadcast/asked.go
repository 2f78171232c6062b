package broadcast

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/recall"
)

// This file finds what was asked before in the notes of a set.

// How far is looked back, and how much of an answer is quoted.
const (
	mostLooked  = 1000 // dispatches
	mostAnswer  = 3    // sentences
	leastAnswer = 3    // words of a sentence
)

// addAsked adds to a set the questions that were asked in its notes and whose answers are still there. It looks only
// at questions that the history of the role includes, and takes none that may not leave this machine: any reader of
// the vault may read a work.
func (c *Controller) addAsked(ctx context.Context, ix *recall.Index, task agent.Task, set *material.Set) error {
	if c.port.Journal == nil || c.port.History == nil || task.TaskID != "" { // a thread knows itself alone
		return nil
	}
	bounds := c.port.History(task.Role)
	past := journal.Past{Vault: task.Root, Bytes: bounds.Bytes, Limit: mostLooked}
	switch bounds.Scope {
	case config.HistoryNote:
		past.File = task.Note
	case config.HistoryVault:
	default:
		return nil
	}
	list, err := c.port.Journal.Exchanges(ctx, past)
	if err != nil {
		return err
	}
	sources := make(map[string]string) // the letters of notes
	for _, x := range list {
		n := slices.IndexFunc(set.Notes, func(n material.Note) bool { return n.Rel == x.File })
		if n < 0 || strings.EqualFold(x.Role, task.Role) || !c.port.MayTell(x) {
			continue
		}
		if _, read := sources[x.File]; !read {
			p, err := ix.ReadPage(ctx, x.File)
			if err != nil {
				continue
			}
			sources[x.File] = keepLetters(string(p.Source))
		}
		asked := material.Asked{Question: x.Question, Note: n, Day: x.Time.Local().Format("2006-01-02"), ByAgent: x.Runner != "builtin"}
		for _, text := range readAnswer(x.Answer) {
			if strings.Contains(sources[x.File], keepLetters(text)) {
				asked.Answer = append(asked.Answer, text)
			}
		}
		if len(asked.Answer) > 0 {
			set.Asked = append(set.Asked, asked)
		}
	}
	return nil
}

// readAnswer are the first sentences of an answer, without its tables, headings, embeds and code.
func readAnswer(answer string) []string {
	var list []string
	for part := range strings.SplitSeq(answer, "\n\n") {
		part = strings.TrimLeft(strings.TrimSpace(part), "-*+> ")
		if part == "" || strings.HasPrefix(part, "```") || strings.ContainsRune("|#!<~", rune(part[0])) {
			continue
		}
		for _, text := range material.Split(part) {
			if plain := material.Plain(text); len(strings.Fields(plain)) >= leastAnswer && !strings.HasSuffix(plain, ":") {
				list = append(list, text)
			}
			if len(list) == mostAnswer {
				return list
			}
		}
	}
	return list
}

// keepLetters is a text by which it is found again, however it is wrapped and quoted.
func keepLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
