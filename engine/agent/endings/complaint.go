package endings

import (
	"slices"
	"strings"
)

// longestLine is how long a line may be that a program prints in place of an answer, and longestComplaint how long all of it.
const longestLine, longestComplaint = 4 << 10, 64 << 10

// marks stand before what a terminal shows: https://github.com/fuergaosi233/claude-code-proxy/issues/36, https://github.com/Aider-AI/aider/issues/4851
const marks = "⎿░ \n"

// appendix is a line that may stand beside such a line: it is indented, names a request, an address, a command, a variable or a place in the code, or
// says what the program advises.
var appendix = lazily(`(?i)^(?:\s.*|\(request[ _]id: .*|https?://\S+(?:, .*)?|/[a-z-]+ .*|\(https?://.*|or try again at .*|● (?:Continuing autonomously|Response was interrupted) .*|Check your [A-Z_]+ .*|It may not exist or you may not have access to it\.|Run /model .*|Please adjust your input and try again.*|⚠ Falling back from .*|An error occurred in \w+\.\w+|To continue using .*|[\w .]{3,30}: https?://\S+|After setting up .*|(?:Warning|Body|Category|Mapped message|Upstream error|Request ID):.*|Loaded cached credentials\.|> [\w-]+ · \S+|starting session \|.*|Goose is running!.*|(?:Retrying|Retry in|Attempt \d+ failed)\b.*|Using .+ from .+|Traceback \(most recent call last\):|Possible quota limitations in place .*|the rest of this session\.|)$`)

// IsComplaint reports whether a text, which is all that a program has said, is lines that any program prints in place of an answer. A line
// goes on below for as long as JSON or a bracket in it is open.
func IsComplaint(text string) bool {
	text = strings.TrimLeft(strings.TrimSpace(text), marks)
	for part := range strings.Lines(text) {
		if len(part) > longestLine {
			return false
		}
	}
	return len(text) <= longestComplaint && consistsOfErrors(text)
}

// consistsOfErrors reports whether a text consists of error lines, with what may stand beside them.
func consistsOfErrors(text string) bool {
	complaints := ""
	for line := ""; text != ""; {
		line, text = CutFirst(text)
		switch {
		case isErrorLine(line):
			complaints += line + "\n"
		case !appendix().MatchString(line) && !strings.Contains(complaints, line):
			return false
		}
	}
	return complaints != ""
}

// FindRefusal returns what of all that a program has said is known to be a refusal: the first line that it prints in place of an answer,
// or else the last one that says what went wrong, or else the first such line that says nothing of it. Behind a refusal some say where their report is
// (https://github.com/QwenLM/qwen-code/issues/1375). False = nothing is known of it.
func FindRefusal(program, said string) (Refusal, bool) {
	said = strings.TrimSpace(said)
	of := func(line string) Refusal { return Refusal{Program: program, Words: strings.TrimSpace(line)} }
	for rest := said; IsComplaint(said) && rest != ""; {
		line, below := CutFirst(rest)
		if of(line).Kind() != Unknown {
			return of(line), true
		} else if IsComplaint(line) {
			return of(rest), true
		}
		rest = strings.TrimSpace(below)
	}
	lines := slices.DeleteFunc(strings.Split(said, "\n"), func(line string) bool { return of(line).Kind() == Unknown })
	if len(lines) == 0 {
		for line := ""; said != ""; {
			if line, said = CutFirst(said); IsComplaint(line) {
				return of(line), true
			}
		}
		return Refusal{}, false
	}
	at := slices.IndexFunc(lines, func(line string) bool { return IsComplaint(line) })
	if at < 0 {
		at = len(lines) - 1
	}
	return nameError(program, said, lines[at]), true
}

// CutFirst returns the first line of a text, in one piece with the lines below it that close its brackets, and the rest.
func CutFirst(text string) (first, rest string) {
	depth := 0
	for at, r := range text {
		switch r {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case '\n':
			if depth <= 0 {
				return strings.ReplaceAll(text[:at], "\n", " "), text[at+1:]
			}
		}
	}
	if depth <= 0 {
		return strings.ReplaceAll(text, "\n", " "), ""
	}
	first, rest, _ = strings.Cut(text, "\n")
	return first, rest
}
