package report

import (
	"fmt"
	"io"
	"strings"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/documents"
)

// PrintDocs prints all documents in their groups, each with its name.
func PrintDocs(w io.Writer, groups []documents.Group, base string) {
	var t table
	for _, g := range groups {
		for _, p := range g.Pages {
			t.add(p.Title, p.Name)
		}
	}
	lines := t.lines()
	for _, g := range groups {
		if g.Name != "" {
			printable.Fprintln(w, g.Name)
		}
		for range g.Pages {
			fmt.Fprint(w, strings.Repeat(" ", 2*min(len(g.Name), 1)), lines[0])
			lines = lines[1:]
		}
	}
	printWhere(w, base)
}

// PrintFoundDocs prints parts of documents, each with its name and its line that has the words.
func PrintFoundDocs(w io.Writer, found []documents.Found, base string) {
	if len(found) == 0 {
		fmt.Fprintln(w, "no document has these words; wiki docs lists all of them")
		return
	}
	for _, f := range found {
		printable.Fprintf(w, "%s  %s\n", f.Label(), strings.TrimSuffix(f.Name+"#"+f.ID, "#"))
		printBehind(w, "  ", "%s", f.Says)
	}
	printWhere(w, base)
}

// printWhere says where a document opens by its name.
func printWhere(w io.Writer, base string) {
	printBehind(w, "", "%s/docs?page=NAME shows one, in a browser that wiki open has signed in", base)
}
