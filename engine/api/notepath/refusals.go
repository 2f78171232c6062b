package notepath

import (
	"net/http"

	"vaultdispatcher/engine/api"
)

func errOutside() *api.StatusError {
	return api.Refusal(http.StatusForbidden, "outside_vaults", "This file is in none of the configured vaults; add its folder to wiki.vaults.")
}

// ErrNotNote is the refusal of a file that is no note.
func ErrNotNote() *api.StatusError {
	return api.Refusal(http.StatusUnprocessableEntity, "not_a_note", "Only a regular .md or .markdown file of at most 10 MiB outside dot folders is a note.")
}

func errNoFile() *api.StatusError {
	return api.Refusal(http.StatusNotFound, "not_found", "There is no note at this path; save it first, or check the path.")
}

func errBadPath(why string) *api.StatusError {
	return api.Refusal(http.StatusBadRequest, "bad_request", "The path "+why+"; send the path of a note.")
}

// errHung is ErrOffline for a vault whose disk hangs.
func errHung(reason string) *api.StatusError {
	return api.Refusal(http.StatusServiceUnavailable, "offline", "The vault cannot be looked at now: "+reason+".")
}
