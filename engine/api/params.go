package api

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decode reads a JSON body with a declared type: a page cannot send that type
// without asking first.
func (c call) decode(into any) error {
	media, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return errContentType()
	}
	if !utf8.Valid(c.body) {
		return &Invalid{Reason: "The body must be JSON in UTF-8."}
	}
	if err := json.Unmarshal(c.body, into); err != nil {
		return &Invalid{Reason: "The body must be one JSON object with the fields of this call."}
	}
	return nil
}

// query reads the parameters of a call; broken ones are not passed over.
func query(r *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, &Invalid{Reason: "The parameters behind ? must be percent-encoded."}
	}
	for _, values := range q {
		for _, v := range values {
			if !utf8.ValidString(v) {
				return nil, &Invalid{Reason: "The parameters behind ? must be UTF-8."}
			}
		}
	}
	return q, nil
}

func number(q url.Values, name string, absent, most int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, &Invalid{Reason: fmt.Sprintf("%q must be a number from 1 to %d.", name, most)}
	}
	return n, nil
}

// filter reads how a list of dispatches is asked for.
func filter(r *http.Request, absent int) (f Filter, err error) {
	q, err := query(r)
	if err != nil {
		return f, err
	}
	f = Filter{Status: q.Get("status"), Query: q.Get("q")}
	if f.Status != "" && !slices.Contains(statusWords, f.Status) {
		return f, &Invalid{Reason: "\"status\" must be one of " + strings.Join(statusWords, ", ") + "."}
	}
	f.Limit, err = number(q, "limit", absent, MostListed)
	return f, err
}

// MostListed is how many dispatches one list holds at most.
const MostListed = 1000

var statusWords = []string{"settling", "queued", "processing", "done", "failed", "held", "parked", "cancelled"}
