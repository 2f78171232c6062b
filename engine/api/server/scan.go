package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/notepath"
)

// wanted is a scan that was asked for: what its body may mean, and whether what it finds starts
// without settling.
type wanted struct {
	located []locatedReading
	refused error // the error for a body that means no note
	urgent  bool
}

// key tells scans of the same notes.
func (w wanted) key() string {
	key := strconv.FormatBool(w.urgent)
	for _, l := range w.located {
		for _, p := range l.places {
			key += "\x00" + p.Root.Name + "\x00" + p.Rel
		}
	}
	return key
}

// scanNote answers POST /vault-mind/scan: which note is meant, then what the engine
// finds in it. What comes faster than it can be looked at is remembered.
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
	located, refused := locateAll(all, s.backend.Roots())
	if len(located) == 0 {
		return nil, refused
	}
	w := wanted{located, refused, saysNow(c.Body)}
	now, remembered, wait := s.scans.Admit(w.key(), w)
	switch {
	case now:
		return s.lookAt(c.Request.Context(), w)
	case remembered:
		return api.ScanResult{Details: []api.ScanGroup{}, File: located[0].places[0].Rel, Remembered: true}, nil
	}
	return nil, &api.StatusError{Status: http.StatusTooManyRequests, Code: "rate_limited",
		Text: "Too many notes wait to be looked at; send this one again in a while.", RetryAfter: wait}
}

// saysNow reports whether a body asks for an answer without settling.
func saysNow(body []byte) bool {
	var said struct{ Now bool }
	return json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), &said) == nil && said.Now
}

// lookAt looks at the note that a scan means.
func (s *Server) lookAt(ctx context.Context, w wanted) (api.ScanResult, error) {
	p, form, err := chooseNote(w, s.backend.Roots())
	if err != nil {
		return api.ScanResult{}, err
	}
	if _, known := s.forms.LoadOrStore(form, true); !known {
		s.log.Info("scan requests come", "form", form)
	}
	result, err := s.backend.Scan(ctx, p.Root, p.Rel, w.urgent)
	if err != nil {
		return result, err
	}
	result.File, result.Details = cmp.Or(result.File, p.Rel), orEmpty(result.Details)
	result.Misses = orEmpty(result.Misses)
	return result, nil
}

// lookAtRemembered looks at a note later than was asked. It reports whether it has to be tried
// again, because the vault is out of reach.
func (s *Server) lookAtRemembered(ctx context.Context, w wanted) (again bool) {
	_, err := s.lookAt(ctx, w)
	if err != nil && ctx.Err() == nil {
		s.log.Debug("look at a remembered note", "error", err)
	}
	return err != nil && statusOf(err).Status == http.StatusServiceUnavailable
}

// chooseNote chooses the one note that the readings of a body name. The strict one
// decides alone if its note exists; among the others exactly one may.
func chooseNote(w wanted, roots []api.Root) (notepath.Place, string, error) {
	refused := w.refused
	found := make(map[string]notepath.Place)
	var form string
	for _, l := range w.located {
		for _, p := range l.places {
			notes, err := notepath.Resolve(p, roots)
			refused = closerError(refused, err, l.strict)
			for _, note := range notes {
				found[path.Join(note.Root.Path, note.Rel)] = note
				form = l.form
			}
		}
		if l.strict && len(found) > 0 {
			break
		}
	}
	switch len(found) {
	case 0:
		return notepath.Place{}, "", refused
	case 1:
		for _, p := range found {
			return p, form, nil
		}
	}
	return notepath.Place{}, "", api.Refusal(http.StatusConflict, "ambiguous", "More than one note fits this path; send the absolute path as JSON.")
}

// locatedReading is a reading whose path is in one vault or in several.
type locatedReading struct {
	reading
	places []notepath.Place
}

// locateAll keeps the readings that lie in a vault; the error is the one to
// answer with if no note is found.
func locateAll(all []reading, roots []api.Root) ([]locatedReading, error) {
	var (
		located []locatedReading
		refused error
	)
	for _, r := range all {
		places, err := notepath.LocateHere(r.path, roots)
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
	if err == nil {
		return 0
	}
	value := slices.Index([]string{"bad_request", "outside_vaults", "not_found", "not_a_note", "offline"}, statusOf(err).Code) + 1
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
