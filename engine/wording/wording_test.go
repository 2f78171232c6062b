package wording

import "testing"

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
		{Line(" a\tb\r\n\u200bc\x1b[31m\u2028d\x00 "), "a b c [31m d"},
		{Line("\xff"), "\ufffd"},
		{Clip(" a\nb. "), "a b"},
		{FirstLine("one\ntwo"), "one"},
		{FirstLine("one"), "one"},
		{Choose(true, "a", "b"), "a"},
		{Choose(false, "a", "b"), "b"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, not %q", tt.got, tt.want)
		}
	}
}
