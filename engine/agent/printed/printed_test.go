package printed

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"plain text\twith tab\n":                            "plain text\twith tab\n",
		"\x1b[1;31mbold red\x1b[0m":                         "bold red",
		"\x1b[38;2;255;0;0mrgb\x1b[m":                       "rgb",
		"\x1b[2K\x1b[1Gline":                                "line",
		"\x1b[?25lhidden cursor\x1b[?25h":                   "hidden cursor",
		"\x1b]0;title\atext":                                "text",
		"\x1b]8;;https://x.y\x1b\\link\x1b]8;;\x1b\\ after": "link after",
		"\x1b]8;id=1;u\alink\x1b]8;;\a":                     "link",
		"\x1bPq#0\x1b\\sixel":                               "sixel",
		"\x1b_app\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\x":        "x",
		"\x1bcreset\x1b7save\x1b8":                          "resetsave",
		"\x1b(Bcharset\x1b#8":                               "charset",
		"\u009b31mred\u009b0m":                              "red",
		"\u009d0;t\u009cx\u0090q\u009cy":                    "xy",
		"\u0085next":                                        "next",
		"bell\a back\b nul\x00 del\x7f":                     "bell back nul del",
		"win\r\nmac\runix\n":                                "win\nmac\nunix\n",
		"10%\r20%\rdone":                                    "10%\n20%\ndone",
		"\ufeffbom":                                         "bom",
		"bad\xff\xc2":                                       "bad\uFFFD",
		"end \x1b":                                          "end ",
		"end \x1b[":                                         "end ",
		"end \x1b[31":                                       "end 31",
		"open \x1b]0;title\nthe answer":                     "open 0;title\nthe answer",
		"open \x1bPdata the answer":                         "open data the answer",
		"csi \x1b[31\nline":                                 "csi 31\nline",
		"esc \x1b\nline":                                    "esc \nline",
		"esc \x1bé":                                         "esc é",
		"esc esc \x1b\x1b[1mx":                              "esc esc x",
		"[31m is text":                                      "[31m is text",
		"日本語 \x1b[1m🙂\x1b[0m":                               "日本語 🙂",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzPlain: nothing a terminal would act on is left, and what stood on a
// line without any control character is still there.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"a\x1b[1mb", "\x1b]8;;x\x1b\\y", "\x1b]0;t", "\u009bx", "\x1b(", "\r\r\n", "\xc2\x9b", "a\nb\x1b\nc"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out := Plain(in)
		if !utf8.ValidString(out) || strings.ContainsFunc(out, isControl) {
			t.Fatalf("Plain(%q) = %q", in, out)
		}
		if again := Plain(out); again != strings.TrimPrefix(out, "\ufeff") {
			t.Fatalf("stripping %q twice: %q, then %q", in, out, again)
		}
		for line := range strings.SplitSeq(strings.ToValidUTF8(in, "\uFFFD"), "\n") {
			if !strings.ContainsFunc(line, isControl) && !strings.Contains(out, strings.TrimPrefix(line, "\ufeff")) {
				t.Fatalf("Plain(%q) = %q lost the line %q", in, out, line)
			}
		}
	})
}

func TestPath(t *testing.T) {
	const value = `{"a":{"b":[{"c":"x"},[1,"y"]],"odd name":"z","":"e"},"n":5,"t":true,"z":null,"big":1e400,"s":"\u00e9"}`
	for _, c := range []struct{ path, want string }{
		{".a.b[0].c", "x"}, {".a.b[1][1]", "y"}, {".a.b[1][0]", "1"}, {`.a["odd name"]`, "z"}, {`.["n"]`, "5"}, {`.a[""]`, "e"},
		{".t", "true"}, {".s", "é"}, {".big", "1e400"}, {".a.b[0]", `{"c":"x"}`}, {".", value},
		{".z", "!has no .z"}, {".a.c", "!has no .a.c"}, {".a.b[2]", "!has no .a.b[2]"}, {".a[0]", "!has no .a[0]"}, {".a.b.c", "!has no .a.b.c"},
		{".s.x", "!has no .s.x"}, {".n[0]", "!has no .n[0]"}, {".[0]", "!has no [0]"},
		{"", "!neither"}, {"a", "!neither"}, {"stdou", "!neither"}, {"[0]", "!neither"}, {".a.", "!neither"}, {"..a", "!neither"}, {".a[", "!neither"},
		{".a[x]", "!neither"}, {".a[-1]", "!neither"}, {".a[0", "!neither"}, {".a[0]b", "!neither"}, {`.a["b]`, "!neither"}, {`.a["b"`, "!neither"},
		{".a b", "!neither"}, {".a]", "!neither"}, {".[", "!neither"}, {".a[]", "!neither"}, {".a[99999999999999999999]", "!neither"},
	} {
		p, err := ParsePath(c.path)
		got := ""
		if err == nil {
			got, err = p.LastValue([]byte("\ufeff" + value + "\n"))
		}
		if part, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q, %v; want %q", c.path, got, err, part)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.path, got, err, c.want)
		}
	}
}
