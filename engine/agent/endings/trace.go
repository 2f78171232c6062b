package endings

import (
	"slices"
	"strings"
)

// Below an uncaught error Node prints its trace, then its fields and its version
// (https://nodejs.org/api/errors.html#errorstack, https://nodejs.org/api/util.html#utilinspectobject-options). The
// error's own words are above the trace.
var (
	frame = lazily(`(?m)^\s+at .*:\d+:\d+\)?(?: \{)?$`)
	below = lazily(`^(?:\s.*|[\]})]*,?|Node\.js v\d.*)$`)
)

// CutTraces returns a text without the traces of errors in it and without the fields below them.
func CutTraces(text string) string {
	if !frame().MatchString(text) {
		return text
	}
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), below().MatchString), "\n")
}

// nameError returns the refusal in one line of a program's output. If the line is a field of an uncaught error, the
// words are the error's: https://github.com/google-github-actions/run-gemini-cli/issues/497
func nameError(program, said, line string) Refusal {
	of := func(words string) Refusal { return Refusal{Program: program, Words: strings.TrimSpace(words)} }
	before, _, _ := strings.Cut(said, line)
	if !frame().MatchString(before) || !below().MatchString(line) {
		return of(line)
	}
	above := strings.TrimSpace(CutTraces(before))
	if above = above[strings.LastIndexByte(above, '\n')+1:]; above == "" {
		return of(line)
	}
	if named := of(above); named.Kind() != Unknown {
		return named
	}
	return of(above + " (" + strings.Trim(line, " \t,") + ")")
}
