package wording

import (
	"strings"
	"testing"
)

func TestWording(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Count(0, "note"), "0 notes"},
		{Count(1, "note"), "1 note"},
		{Count(2, "note"), "2 notes"},
		{Count(Words(" a  b-c,\nd "), "word"), "3 words"},
		{Count(Words("绿茶要用七十五度的水。"), "word"), "5 words"},
		{Count(Words("用 iPhone 拍照"), "word"), "3 words"},
		{Count(Words("ภาษาไทย"), "word"), "2 words"},
		{Count(Words(" \n"), "word"), "0 words"},
		{Shorten("größer", 6), "größer"},
		{Shorten("größer", 5), "größ…"},
		{Shorten("", 5), ""},
		{Shorten("the lastly copied", 12), "the lastly…"},
		{Shorten("the last…, copied", 12), "the last…"},
		{Shorten("a wordthatisnotcut", 12), "a wordthati…"},
		{ShortenPath("Projects/Backups.md", 19), "Projects/Backups.md"},
		{ShortenPath("Projects/2026/Backups.md", 19), "Project…/Backups.md"},
		{ShortenPath("Projects/Backups and more.md", 12), "Pro… more.md"},
		{ShortenPath("a/b.md", 1), "…"},
		{Line(" a\tb\r\n\u200bc\x1b[31m\u2028d\x00 "), "a b c [31m d"},
		{Line("\xff"), "\ufffd"},
		{Clip(" a\nb. "), "a b"},
		{FirstLine("one\ntwo"), "one"},
		{FirstLine("one"), "one"},
		{Choose(true, "a", "b"), "a"},
		{Answerer("openai", "qwen3:8b"), "qwen3:8b"}, // it is mostly no server of OpenAI
		{Answerer("openai", ""), "a model"},
		{Answerer("claude", "opus"), "claude"},
		{Choose(false, "a", "b"), "b"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, not %q", tt.got, tt.want)
		}
	}
}

// TestStatus: what people read for the statuses of a dispatch differs of each, and what is no status stays as it is.
func TestStatus(t *testing.T) {
	want := map[string]string{
		"settling": "settling", "queued": "queued", "processing": "at work", "done": "done", "failed": "unanswered",
		"held": "waiting for you", "parked": "kept", "cancelled": "cancelled", "": "", "not taken up": "not taken up",
	}
	for status, word := range want {
		if got := Status(status); got != word {
			t.Errorf("%q reads %q, want %q", status, got, word)
		}
		if got := FindStatus(word, []string{status}); got != status {
			t.Errorf("%q is found as %q, want %q", word, got, status)
		}
	}
}

// A person's words for a status mean it, as a program's do.
func TestFindStatus(t *testing.T) {
	for word, want := range map[string]string{"held": "held", "Waiting for you": "held", "waiting-for-you": "held", "UNANSWERED": "failed", "failed": "failed", "kept": "", "": ""} {
		if got := FindStatus(word, []string{"failed", "held"}); got != want {
			t.Errorf("%q is found as %q, want %q", word, got, want)
		}
	}
}

// A text of several lines keeps them and their indent, and nothing else that a terminal obeys.
func TestLines(t *testing.T) {
	if got := Lines("  > a\x1b[1m b\n\tc  d\r", 99); got != "  > a [1m b\nc d" {
		t.Errorf("%q", got)
	}
	if got := Lines("a\nbcd", 4); got != "a\nb…" {
		t.Errorf("%q", got)
	}
}

// TestStep: the steps of a dispatch read as its status does, or plainer, with what they say of themselves.
func TestStep(t *testing.T) {
	for _, tt := range []struct{ name, detail, want string }{
		{"accepted", "ask", "asked: on the dashboard or by a program"}, {"accepted", "other", "asked: other"},
		{"started", "builtin", "given to the agent: built-in"}, {"written", "1", "is in the note: 1 answer"}, {"written", "", "is in the note"},
		{"held", "over the limit", "waits: over the limit"}, {"swapping", "/a.md", "is being written into: /a.md"},
		{"proposed", "", "for you to approve"}, {"parked", "its place is gone", "kept: its place is gone"}, {"failed", "no agent", "unanswered: no agent"},
		{"other", "", "other"},
	} {
		if got := Step(tt.name, tt.detail); got != tt.want {
			t.Errorf("%s %q reads %q, want %q", tt.name, tt.detail, got, tt.want)
		}
	}
}

func TestReasons(t *testing.T) {
	if got := IsPrivate.Say("{Diary}", "Editor"); !strings.HasPrefix(got, "the note is private (wiki.private: {Diary}) and what answers the role Editor leaves") {
		t.Error(got)
	}
	if got := ReadOnly.Say(); got != string(ReadOnly) {
		t.Error(got)
	}
}
