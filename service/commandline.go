package service

import "strings"

// commandLine is a command as Windows keeps it in the registry: one text, which
// the program takes apart again by the rules of CommandLineToArgvW
// (https://learn.microsoft.com/en-us/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw).
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = windowsQuote(word)
	}
	return strings.Join(quoted, " ")
}

// windowsQuote doubles the backslashes before a quote, and only those.
func windowsQuote(word string) string {
	var b strings.Builder
	b.WriteByte('"')
	backslashes := 0
	for i := range len(word) {
		switch c := word[i]; c {
		case '\\':
			backslashes++
			continue
		case '"':
			b.WriteString(strings.Repeat(`\`, 2*backslashes+1))
		default:
			b.WriteString(strings.Repeat(`\`, backslashes))
		}
		backslashes = 0
		b.WriteByte(word[i])
	}
	b.WriteString(strings.Repeat(`\`, 2*backslashes))
	b.WriteByte('"')
	return b.String()
}
