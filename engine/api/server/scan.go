package server

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
)

// scanNote answers POST /vault-mind/scan: which note is meant, then what the engine
// finds in it.
func (s *Server) scanNote(c Call) (any, error) {
	contentType, err := c.contentType()
	if err != nil {
		return nil, err
	}
	lax := len(c.Request.Header.Values("Origin")) == 0
	if !lax && contentType != "application/json" {
		return nil, ErrContentType()
	}
	all := listReadings(c.Body, contentType, lax)
	if len(all) == 0 {
		return nil, errUnreadable(c.Port)
	}
	p, form, err := s.chooseNote(all, s.backend.Roots())
	if err != nil {
		return nil, err
	}
	s.logForm(form)
	result, err := s.backend.Scan(c.Request.Context(), p.root, p.rel)
	if err != nil {
		return nil, fmt.Errorf("scan a note: %w", err)
	}
	if result.File == "" {
		result.File = p.rel
	}
	if result.Details == nil {
		result.Details = []api.ScanGroup{}
	}
	return result, nil
}

// chooseNote chooses the one note that the readings of a body name. The strict one
// decides alone if its note exists; among the others exactly one may.
func (s *Server) chooseNote(all []reading, roots []api.Root) (place, string, error) {
	located, refused := locateAll(all, roots)
	if len(located) == 0 {
		return place{}, "", refused
	}
	if wait, ok := s.scans.take(); !ok {
		return place{}, "", &api.StatusError{Status: http.StatusTooManyRequests, Code: "rate_limited",
			Text: "Too many scans at once; wait a second, the watcher sees every save anyway.", RetryAfter: wait}
	}
	found := make(map[string]place)
	var form string
	for _, l := range located {
		for _, p := range l.places {
			notes, err := resolveInTime(p, roots)
			refused = closerError(refused, err, l.strict)
			for _, note := range notes {
				found[path.Join(note.root.Path, note.rel)] = note
				form = l.form
			}
		}
		if l.strict && len(found) > 0 {
			break
		}
	}
	switch len(found) {
	case 0:
		return place{}, "", refused
	case 1:
		for _, p := range found {
			return p, form, nil
		}
	}
	return place{}, "", api.Refusal(http.StatusConflict, "ambiguous", "More than one note fits this path; send the absolute path as JSON.")
}

// locatedReading is a reading whose path is in one vault or in several.
type locatedReading struct {
	reading
	places []place
}

// locateAll keeps the readings that lie in a vault; the error is the one to
// answer with if no note is found.
func locateAll(all []reading, roots []api.Root) ([]locatedReading, error) {
	var (
		located []locatedReading
		refused error
	)
	for _, r := range all {
		places, err := locatePath(r.path, roots, onWindows)
		refused = closerError(refused, err, r.strict)
		if err == nil {
			located = append(located, locatedReading{r, places})
		}
	}
	return located, refused
}

// closerError chooses which of two failures to tell: what the strict reading met,
// since that is what was said, else that of the guess that came closest to a note.
func closerError(a, b error, strict bool) error {
	if strict && b != nil {
		b = &strictError{b}
	}
	if rankError(b) > rankError(a) {
		return b
	}
	return a
}

// strictError marks the failure of a strict reading, which outranks the others.
type strictError struct{ error }

func (e *strictError) Unwrap() error { return e.error }

func rankError(err error) int {
	var status *api.StatusError
	if !errors.As(err, &status) {
		return 0
	}
	value := slices.Index([]string{"bad_request", "outside_vaults", "not_found", "not_a_note", "offline"}, status.Code) + 1
	var strict *strictError
	if errors.As(err, &strict) {
		value += 10
	}
	return value
}

// contentType returns the media type of a scan's body; none said is plain text.
func (c Call) contentType() (string, error) {
	values := c.Request.Header.Values("Content-Type")
	if len(values) == 0 {
		return "text/plain", nil
	}
	media, _, err := mime.ParseMediaType(values[0])
	if err != nil || len(values) > 1 {
		return "", ErrContentType()
	}
	switch media {
	case "application/json", "application/x-www-form-urlencoded", "text/plain":
		return media, nil
	}
	return "", ErrContentType()
}

// ErrContentType is the refusal of a body of another type.
func ErrContentType() *api.StatusError {
	return api.Refusal(http.StatusUnsupportedMediaType, "content_type", "Send the body as JSON, with Content-Type: application/json.")
}

// errUnreadable shows the one line that works in every shell of every system.
func errUnreadable(port string) *api.StatusError {
	return api.Refusal(http.StatusBadRequest, "bad_request", strings.Join([]string{
		"No path can be read from the body; send it with: curl -sS -m 2 --data-urlencode file=PATH http://127.0.0.1:", port, "/vault-mind/scan"}, ""))
}
