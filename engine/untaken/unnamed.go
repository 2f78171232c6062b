package untaken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/note"
)

// This file reads addresses that lack a part: "@agent" without a role, and a role behind the head of a callout.

// unnamed is the reason of a line that asks "@agent" and no role.
const unnamed = "no role is named; an agent is asked with @agent-, its role and a space, as in > @agent-Miner what is new?"

// asking is a text that ends as a question does.
var asking = lazyregexp.New(`\pL.*[?？][\s*_)\]"”»'~=]*$`)

// nameless is an address without a role, what ends it, and what follows it.
var nameless = lazyregexp.New(`^(?i:agent)[*_]*([ \t]*[,:，：]|[ \t\x{a0}\x{3000}])(.*)$`)

// surname is the rest of a name: Agent Smith, ...
var surname = lazyregexp.New(`^\s*\p{Lu}\pL*[,:，：]`)

// greeting is what stands before an address in a line that asks: a greeting, or what ends as one does.
var greeting = lazyregexp.New(`(?i)(?:^|\s)(?:hey|hi|hello|ok|okay|please|dear|hallo|hej|hola|ciao|salut|bonjour|oi|请|你好)$|[,:!，：！]$`)

// readNameless reads what a text behind an @ asks without a role, and takes one that answers; nothing where it does not ask.
func readNameless(text string, roles []string) (role, question string) {
	parts := nameless().FindStringSubmatch(text)
	if parts == nil || !asking().MatchString(parts[2]) || strings.TrimSpace(parts[1]) == "" && surname().MatchString(parts[2]) || len(roles) == 0 {
		return "", ""
	}
	if role = roleNamed("Miner", roles); role == "" && roleNamed("*", roles) != "" {
		role = "Miner" // as any other
	} else if role == "" {
		role = roles[0]
	}
	return role, cleanRest(parts[2])
}

// mendNameless guesses what was meant by a line that greets "@agent" at a place; nothing where it only mentions one.
func mendNameless(line string, at int, marks string, roles []string) guess {
	lead := strings.Trim(line[min(len(marks), at):at], " \t*_")
	if len(lead) > longest || len(strings.Fields(lead)) > 3 || !greeting().MatchString(lead) {
		return guess{}
	}
	role, question := readNameless(strings.TrimLeft(line[at+1:], " \t"), roles)
	if role == "" {
		return guess{}
	}
	if first, _ := utf8.DecodeRuneInString(question); unicode.IsUpper(first) && !strings.ContainsAny(line[at:len(line)-len(question)], ",:，：") { // a name
		return guess{}
	}
	request := note.MarkerStart + role + " "
	if strings.Contains(marks, ">") {
		return guess{fix: askBelow(line[:at], request, question), why: unnamed}
	}
	return guess{fix: askApart(line[:at], marks, request, question), why: unnamed}
}

// cutCallout takes the head of a callout off a line that asks right behind it: the line with the head alone, and the line
// without it.
func cutCallout(line string) (head, rest string) {
	marks := line[:note.LeadingMarks([]byte(line))]
	head = callout().FindString(line[len(marks):])
	if rest = strings.TrimLeft(line[len(marks)+len(head):], " \t"); head == "" || !strings.Contains(marks, ">") || !strings.HasPrefix(rest, "@") {
		return "", line
	}
	return marks + head, marks + rest
}
