package update

import (
	"io"

	"vaultdispatcher/cmd/wiki/printable"
)

// Print prints what was found, for a person.
func Print(w io.Writer, f Found) {
	switch {
	case !f.Newer && f.Newest == f.Version:
		printable.Fprintf(w, "%s is the newest release\n", f.Version)
	case !f.Newer:
		printable.Fprintf(w, "the newest release is %s; this is %s, which is newer\n", f.Newest, f.Version)
	case len(f.Steps) == 0:
		printable.Fprintf(w, "there is a newer release: %s; this is %s. It has no file for this machine\n", f.Newest, f.Version)
	default:
		printable.Fprintf(w, "there is a newer release: %s; this is %s. Nothing was changed. To install it here:\n\n", f.Newest, f.Version)
		if f.File != "" {
			printable.Fprintf(w, "  download %s\n  check that its SHA-256 sum is %s\n", f.Address, f.Sum)
		}
		if f.Proof != "" {
			printable.Fprintf(w, "  check who made it, for the sum comes from the same place: %s\n", f.Proof)
		}
		for _, step := range f.Steps {
			printable.Fprintf(w, "  %s\n", step)
		}
	}
}
