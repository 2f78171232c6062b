package yamltext

import "strings"

// Nearest returns the known name that a word was probably meant to be: one that
// differs in at most two letters and in less than half of them, or one whose last part
// is the same. "" when there is none.
func Nearest(word string, names []string) string {
	best, meant, least := 3, "", strings.ToLower(word)
	if len(least) > 100 {
		return ""
	}
	for _, name := range names {
		d := editDistance(least, strings.ToLower(name))
		if lastPart(least) == lastPart(strings.ToLower(name)) {
			d = min(d, 2)
		} else if 2*d >= len(lastPart(least)) {
			continue
		}
		if d < best {
			best, meant = d, name
		}
	}
	return meant
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// editDistance counts the letters to insert, delete or replace between two words.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
