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

// surname is the rest of a name, or names another beside it: Agent Smith, ... or agent smith, ... or agent of change, or @agent and @task.
var surname = lazyregexp.New(`^\s*(?:\p{Lu}\pL*[,:，：]|\p{Ll}+,|of\b|(?:and|or|vs\.?|und|oder|et|ou|y|o|[&+]) @)`)

// opener is a word with a comma behind it that begins a question and is no name.
var opener = lazyregexp.New(`^\s*(?:please|so|ok|okay|well|hi|hey|hello|thanks|and|or|but|if|what|who|how|why|when|where|which|now|then|today|yesterday|again|` +
	`bitte|also|hallo|und|danke|was|wer|wie|heute|alors|et|merci|donc|y|pues|gracias|hoy),`)

// shown is what stands before an address that is only shown: an example, or what somebody said.
var shown = lazyregexp.New(`(?i)(?:^|[^\pL])(?:example|e\.g\.|user|human|prompt|usage|syntax|input|tip|try|type|says?|said|wrote|b?cc|to|from|contact|assignee|owner|author|beispiel|z\. ?B\.|ejemplo|exemple)\W*$`)

// quoting is how a text goes on behind the name of a person in a quotation, in a link or in a longer name.
var quoting = lazyregexp.New(`^(?:[*_\])"'”’]*:?[*_]* *(?:wrote|said|says|commented|replied|asked|schrieb|sagte|fragte|a écrit|escribió)\b|\]\(|[./@]\pL|[*_]*[:,] *["“„«‘「][^"“”„«»]*["”“»’」]$)`)

// labelled is the word agent as the label of a name, or as the end of a sentence.
var labelled = lazyregexp.New(`^(?i:agent)[ \t]*[:.][ \t]`)

// assigned is how code goes on behind a name.
var assigned = lazyregexp.New(`^(?:\.\pL|[ \t]*[|&+*/-]*= )`)

// coded is how code goes on below a decorator.
var coded = lazyregexp.New(`^[ \t]*(?:async|public|private|protected|static|export|abstract|final|def|class|func|function|fn|interface|const|var|import) `)

// greeting is what stands before an address in a line that asks: a greeting, or what ends as one does.
var greeting = lazyregexp.New(`(?i)(?:^|\s)(?:hey|hi|hello|ok|okay|please|dear|hallo|hej|hola|ciao|salut|bonjour|oi|请|你好)$|[,:!，：！]$`)

// readNameless reads what a text behind an @ asks without a role, and takes one that answers; nothing where it does not ask.
func readNameless(text string, roles []string) (role, question string) {
	parts := nameless().FindStringSubmatch(text)
	if parts == nil || !asking().MatchString(parts[2]) || strings.TrimSpace(parts[1]) == "" && surname().MatchString(parts[2]) && !opener().MatchString(parts[2]) || len(roles) == 0 {
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
	if len(lead) > longest || len(strings.Fields(lead)) > 3 || !greeting().MatchString(lead) || shown().MatchString(lead) {
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
// without it. A name alone is who is quoted, if nothing is asked.
func cutCallout(line string, roles []string) (head, rest string) {
	marks := line[:note.LeadingMarks([]byte(line))]
	head = callout().FindString(line[len(marks):])
	if rest = strings.TrimLeft(line[len(marks)+len(head):], " \t"); head == "" || !strings.Contains(marks, ">") || !strings.HasPrefix(rest, "@") {
		return "", line
	}
	if parts := addressed().FindStringSubmatch(rest[1:]); parts != nil && roleNamed(parts[1], roles) != "" && !asking().MatchString(parts[3]) {
		return "", line
	}
	return marks + head, marks + rest
}

// nearlyNamed is the one of names that a name is but for a letter; nothing where only its end differs, since editors and Maria's
// friend Marie are others.
func nearlyNamed(name string, names []string) string {
	meant := nearest(name, names)
	if distance(strings.ToLower(name), strings.ToLower(meant), 2) > 1 {
		return ""
	}
	a, b := []rune(strings.ToLower(name)), []rune(strings.ToLower(meant))
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if same >= min(len(a), len(b))-1 && (len(b) == 0 || a[len(a)-1] != b[len(b)-1]) {
		return ""
	}
	return meant
}
