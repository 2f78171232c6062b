package dashboard

import (
	"cmp"
	"net/http"
	"path"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/server"
)

// This file has the words that the pages of the dashboard use for what programs read.

// watchedBy says how a vault tells of its changes.
func watchedBy(source string) string {
	switch source {
	case "fsnotify", "rdcw":
		return "changes are seen at once"
	case "poll":
		return "checked every few seconds"
	}
	return source
}

// isLater says whether a time is still to come.
func isLater(t *time.Time, now time.Time) bool { return t != nil && t.After(now) }

// backPath is the page with the form of a request; empty without a session.
func backPath(r *http.Request, e *api.StatusError) string {
	if e.Code == "unauthorized" || signedOut(r, e) {
		return ""
	}
	if r.Method != http.MethodPost || r.URL.Path == "/setup" {
		return "/"
	}
	return path.Dir(r.URL.EscapedPath())
}

// titles are what the pages of failures are called, by code: in a row of tabs the title alone says what happened.
var titles = map[string]string{
	"unauthorized":       "Not signed in",
	"host_not_allowed":   "This address is not served",
	"origin_not_allowed": "Refused: another web page asked",
	api.WrongUser:        "Refused: another user's engine",
	"form_not_ours":      "This page was too old",
	"not_found":          "Nothing is here",
	"method_not_allowed": "This is no page",
	"conflict":           "That cannot be done now",
	"busy":               "One moment",
	"stopping":           "The engine is stopping",
	"offline":            "The vault cannot be reached",
}

func titleOf(r *http.Request, e *api.StatusError) string {
	if signedOut(r, e) {
		return "Signed out"
	}
	return cmp.Or(titles[e.Code], "That did not work")
}

// signedOut says whether a failure is that of a browser that had a session: it has
// kept the cookie, or a page with buttons.
func signedOut(r *http.Request, e *api.StatusError) bool {
	switch e.Code {
	case "unauthorized":
		return strings.Contains(r.Header.Get("Cookie"), cookieName(""))
	case "origin_not_allowed":
		return r.Method == http.MethodPost && r.Header.Get("Origin") == server.OwnBase(r)
	}
	return false
}

// pageWords is a failure in words for a person, who knows pages and not calls.
func pageWords(r *http.Request, e *api.StatusError) *api.StatusError {
	words := *e
	switch {
	case e.Code == "not_found":
		words.Text = "There is no such page. What it showed may be gone."
	case e.Code == "method_not_allowed":
		words.Text = "This address belongs to a button; use the button on its page."
	case signedOut(r, e):
		words.Text = "You are signed out: the engine was restarted, or this browser was not used for 12 hours. " +
			"Open the dashboard again with wiki open, or from the menu of the tray."
		if r.Method == http.MethodPost {
			words.Text += " Nothing was changed."
		}
	}
	return &words
}
