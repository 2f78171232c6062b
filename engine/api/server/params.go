package server

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

	"vaultdispatcher/engine/api"
)

// DecodeJSON reads a JSON body with a declared type: a page cannot send that type
// without asking first.
func (c Call) DecodeJSON(into any) error {
	media, _, err := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return ErrContentType()
	}
	if !utf8.Valid(c.Body) {
		return &api.Invalid{Reason: "The body must be JSON in UTF-8."}
	}
	if err := json.Unmarshal(c.Body, into); err != nil {
		return &api.Invalid{Reason: "The body must be one JSON object with the fields of this call."}
	}
	return nil
}

// withBody is the handler of a call whose JSON body says more; where it may be left out, a call without one says nothing.
func withBody[T any](mayLack bool, handle func(c Call, body T) (any, error)) func(Call) (any, error) {
	return func(c Call) (any, error) {
		var body T
		if len(c.Body) > 0 || !mayLack {
			if err := c.DecodeJSON(&body); err != nil {
				return nil, err
			}
		}
		return handle(c, body)
	}
}

// ReadQuery reads the parameters of a call; broken ones are not passed over.
func ReadQuery(r *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, &api.Invalid{Reason: "The parameters behind ? must be percent-encoded."}
	}
	for _, values := range q {
		for _, v := range values {
			if !utf8.ValidString(v) {
				return nil, &api.Invalid{Reason: "The parameters behind ? must be UTF-8."}
			}
		}
	}
	return q, nil
}

func readNumber(q url.Values, name string, absent, most int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, &api.Invalid{Reason: fmt.Sprintf("%q must be a number from 1 to %d.", name, most)}
	}
	return n, nil
}

// ReadFilter reads how a list of dispatches is asked for. The words are statuses that the caller knows beside those of a dispatch.
func ReadFilter(r *http.Request, words ...string) (f api.Filter, err error) {
	q, err := ReadQuery(r)
	if err != nil {
		return f, err
	}
	f = api.Filter{Status: q.Get("status"), Vault: q.Get("vault"), File: q.Get("file"), Query: q.Get("q")}
	if f.Status != "" && !slices.Contains(slices.Concat(words, api.StatusWords), f.Status) {
		return f, &api.Invalid{Reason: "\"status\" must be one of " + strings.Join(api.StatusWords, ", ") + "."}
	}
	f.Limit, err = readNumber(q, "limit", api.UsualListed, api.MostListed)
	return f, err
}
