package window

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/testdata/testmain"
)

// windowOf is the window of the first group of a note.
func windowOf(src string, f Frame) string {
	doc := note.Parse([]byte(src))
	return Cut([]byte(src), doc, note.GroupMarkers(doc.Markers)[0], f)[0].Text
}

// A window is text for a model: long data stands there as its kind.
func TestWindowsHoldNoData(t *testing.T) {
	picture := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x89PNG \x00\x01\xfe", 2000)))
	url := base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("\xff\xfe_~", 300)))
	wrapped := ""
	for rest := picture[:76*12+20]; rest != ""; rest = rest[min(76, len(rest)):] {
		wrapped += rest[:min(76, len(rest))] + "\n"
	}
	quoted := "> " + strings.ReplaceAll(strings.TrimSpace(wrapped), "\n", "\n> ") + "\n"
	for i, c := range []struct{ line, want string }{
		{"![a cat](data:image/png;base64," + picture + ")", fmt.Sprintf("![a cat](data:image/png[left out: %d bytes])", len(picture))},
		{"[image1]: <data:image/png;base64," + picture + ">", fmt.Sprintf("[image1]: <data:image/png[left out: %d bytes]>", len(picture))},
		{`<img src="data:image/jpeg;base64,` + picture + `" alt="cat">`, fmt.Sprintf(`<img src="data:image/jpeg[left out: %d bytes]" alt="cat">`, len(picture))},
		{`<img src='data:image/svg+xml;utf8,<svg a="b c">` + strings.Repeat("<g/>", 50) + `</svg>'>`, `<img src='data:image/svg+xml[left out: 219 bytes]'>`},
		{"a DATA:;base64," + picture + " b", fmt.Sprintf("a data:[left out: %d bytes] b", len(picture))},
		{"data:text/plain," + strings.Repeat("%20a", 40) + " and data:,short", "data:text/plain[left out: 160 bytes] and data:,short"},
		{"![](data:text/html;charset=utf-8;name=a%20b.html," + strings.Repeat("%41", 60) + ")", "![](data:text/html[left out: 180 bytes])"},
		{`![](data:text/plain;charset="utf-8";base64,` + picture + ")", fmt.Sprintf("![](data:text/plain[left out: %d bytes])", len(picture))},
		{"data: a; b, " + strings.Repeat("and more, ", 20), "data: a; b, " + strings.Repeat("and more, ", 20)},
		{"![](data:image/gif;base64,R0lGODlhAQABAAAAACw=)", "![](data:image/gif;base64,R0lGODlhAQABAAAAACw=)"},
		{"the data: a, b, " + strings.Repeat("and more, ", 20), "the data: a, b, " + strings.Repeat("and more, ", 20)},
		{"key " + picture + " end", fmt.Sprintf("key [left out: %d bytes of base64] end", len(picture))},
		{"token=" + url, fmt.Sprintf("token=[left out: %d bytes of base64]", len(url))},
		{"sum " + hex.EncodeToString([]byte(picture[:400])) + ".", "sum [left out: 800 bytes of hex]."},
		{strings.Repeat("0123456789abcdef", 32), strings.Repeat("0123456789abcdef", 32)}, // 512 are shown
		{strings.Repeat("-", 2000), strings.Repeat("-", 2000)},
		{strings.Repeat("ein langes Wort und noch eins ", 300), strings.Repeat("ein langes Wort und noch eins ", 300)},
		{strings.TrimSuffix(wrapped, "\n"), "[left out: 932 bytes of base64]"},
		{"-----BEGIN X-----\n" + wrapped + "-----END X-----", "-----BEGIN X-----\n[left out: 932 bytes of base64]\n-----END X-----"},
		{strings.TrimSuffix(quoted, "\n") + "\n", "[left out: 932 bytes of base64]\n"},
		{"one\ntwo\nthree", "one\ntwo\nthree"},
		// A picture that is written as text, with its spaces and quotes.
		{`![](data:image/svg+xml;utf8,<svg a="b" c='d'>` + strings.Repeat("<g/>", 50) + `</svg>) and more`, "![](data:image/svg+xml[left out: 223 bytes]) and more"},
		{`url("data:image/svg+xml,%3Csvg a='b c' d='e'%3E` + strings.Repeat("%3Cg/%3E", 50) + `%3C/svg%3E") x`, `url("data:image/svg+xml[left out: 433 bytes]") x`},
		{`a data:image/svg+xml;charset=utf-8,<?xml version="1.0"?><svg a="b">` + strings.Repeat("<g/>", 50) + `</SVG > b data:image/svg+xml,<svg c`, "a data:image/svg+xml[left out: 239 bytes] b data:image/svg+xml,<svg c"},
		{`data:image/svg+xml,<svg ` + strings.Repeat("no end ", 50), `data:image/svg+xml,<svg ` + strings.Repeat("no end ", 50)},
		// Bytes in hex, as tools and languages print them.
		{"the head " + strings.Repeat("f8 29 c1 ", 60) + "and words", "the head [left out: 539 bytes of hex] and words"},
		{strings.Repeat("F8:29:C1:", 60) + "00", "[left out: 542 bytes of hex]"},
		{"{" + strings.Repeat("0xf8, 0x29, ", 60) + "0x00};", "{[left out: 724 bytes of hex]};"},
		{`"` + strings.Repeat(`\xf8\x29`, 80) + `"`, `"[left out: 640 bytes of hex]"`},
		{strings.Repeat("1f8b 0800 ", 60) + "decade", "[left out: 599 bytes of hex] decade"},
		{strings.TrimSpace(strings.Repeat(strings.TrimSpace(strings.Repeat("1f 8b 08 00 ", 4))+"\n", 12)) + "\nThanks", "[left out: 564 bytes of hex]\nThanks"},
		{strings.Repeat("1f:8b:08:00:c0:ff:ee:00:11:22:33:44:d5:e6:\n", 14) + "end", "[left out: 588 bytes of hex]\nend"},
		{strings.Repeat("68 65 6c 6c 6f 20 77 6f 72 6c 64 0a ", 20) + "!", "[left out: 719 bytes of hex] !"},
		{strings.Repeat("12:30:45 2026-11-26 ", 40), strings.Repeat("12:30:45 2026-11-26 ", 40)},
		{strings.Repeat("10 20 30 40 99, ", 60) + "be", strings.Repeat("10 20 30 40 99, ", 60) + "be"},
		{strings.Repeat("dead beef and face ", 40), strings.Repeat("dead beef and face ", 40)},
	} {
		got := windowOf("above\n\n"+c.line+"\n\n> @agent-Miner q\n\nend\n", Frame{LinesAbove: 40, LinesBelow: 9, Bytes: 1 << 20})
		if want := "above\n\n" + c.want + "\n\n[Request 1]\n\nend"; got != want {
			t.Errorf("%d:\n%s\nwant\n%s", i, got, want)
		}
	}
}

// A question is told in words: data in it is cut to its kind, its own words never.
func TestWords(t *testing.T) {
	picture := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x89PNG \x00\x01\xfe", 2000)))
	rows := ""
	for range 20 {
		rows += picture[:76] + "\n"
	}
	long := strings.Repeat("viele Wörter, und noch eins ", 4000) // more than a line of a window has
	for _, tt := range []struct{ asked, want string }{
		{"what is on ![a cat](data:image/png;base64," + picture + ")?", fmt.Sprintf("what is on ![a cat](data:image/png[left out: %d bytes])?", len(picture))},
		{"one " + picture + " two?", fmt.Sprintf("one [left out: %d bytes of base64] two?", len(picture))},
		{"one " + hex.EncodeToString([]byte(picture[:400])) + " two?", "one [left out: 800 bytes of hex] two?"},
		{"what is this:\n" + strings.TrimSpace(rows) + "\nand this?", "what is this:\n[left out: 1520 bytes of base64]\nand this?"},
		{"a data:,short one and " + strings.Repeat("word ", 100), "a data:,short one and " + strings.Repeat("word ", 100)},
		{long, long},
		{long + " ![](data:image/gif;base64," + picture + ")", long + fmt.Sprintf(" ![](data:image/gif[left out: %d bytes])", len(picture))},
		{strings.Repeat("a", 512), strings.Repeat("a", 512)},
		{"  two\n\n  spaces\n", "  two\n\n  spaces\n"},
		{"", ""},
	} {
		got := Words(tt.asked)
		if got != tt.want || Words(got) != got {
			t.Errorf("%.80q: %.300q, want %.300q", tt.asked, got, tt.want)
		}
	}
}

// A long line is cut on a character's border, and the question never.
func TestWindowsCutLongLines(t *testing.T) {
	for _, letter := range []string{"ä ", "日本 ", "x, "} {
		long := strings.Repeat(letter, 20_000)
		src := long + "\n> @agent-Miner " + long + "\n\nend\n"
		doc := note.Parse([]byte(src))
		if got := doc.Markers[0].Instruction; got != strings.TrimSpace(long) {
			t.Errorf("the question has %d bytes", len(got))
		}
		got := windowOf(src, Frame{LinesAbove: 9, LinesBelow: 9})
		first, rest, _ := strings.Cut(got, "\n")
		if !utf8.ValidString(got) || len(first) > mostLine+40 || len(first) < mostLine || !strings.HasSuffix(first, " bytes]") || rest != "[Request 1]\n\nend" {
			t.Errorf("%d bytes, then %q", len(first), rest)
		}
	}
}

// A window that is too long loses what is furthest from its requests, and says so.
func TestWindowsAreBounded(t *testing.T) {
	var above, below []string
	for i := range 100 {
		above, below = append(above, fmt.Sprintf("above %02d %s", i, strings.Repeat("é", 40))), append(below, fmt.Sprintf("below %02d", i))
	}
	src := strings.Join(above, "\n") + "\n> @agent-Miner q\n\n" + strings.Join(below, "\n") + "\n"
	for bytes := 1000; bytes < 12_000; bytes += 397 {
		got := windowOf(src, Frame{LinesAbove: 200, LinesBelow: 200, Bytes: bytes})
		if len(got) > bytes || len(got) < bytes-300 && len(got) < 9000 || !utf8.ValidString(got) || !strings.Contains(got, "\n[Request 1]\n") || !strings.Contains(got, "above 99") || !strings.Contains(got, "below 00") {
			t.Fatalf("%d bytes: %d\n%s", bytes, len(got), got)
		}
		if whole := strings.Contains(got, "above 00"); whole == strings.HasPrefix(got, "[left out: ") {
			t.Fatalf("%d bytes: %s", bytes, got)
		}
	}
	// Lines between two requests go too, and one long line is cut where it is furthest.
	far := "> @agent-Miner a\n\n" + strings.Join(above, "\n") + "\n\n> @agent-Miner b\n"
	got := windowOf(far, Frame{LinesAbove: 200, LinesBelow: 200, Bytes: 2000})
	if len(got) > 2000 || strings.Count(got, "[Request ") != 2 || !strings.Contains(got, "above 00") || !strings.Contains(got, "above 99") || !strings.Contains(got, " lines]") {
		t.Error(got)
	}
	one := windowOf(strings.Repeat("a b ", 1000)+"near\n> @agent-Miner q\n", Frame{LinesAbove: 9, Bytes: 1024})
	if len(one) > 1024 || len(one) < 800 || !strings.HasPrefix(one, "[left out: ") || !strings.HasSuffix(one, "near\n[Request 1]") {
		t.Errorf("%d: %s", len(one), one)
	}
	if got := windowOf(src, Frame{LinesAbove: 200, LinesBelow: 200}); strings.Contains(got, "left out") {
		t.Error("without a bound something is left out")
	}
}

// What is hidden is left out, and where it stood a window says so once.
func TestWindowsLeaveCommentsOut(t *testing.T) {
	const src = "%% SECRET\nSECRET\nSECRET %% one\ntwo <!-- SECRET --> and %%SECRET%%.\n> @agent-Miner q\n\n> %%SECRET%%\nend\n"
	var hidden []note.Span
	for at := 0; ; {
		i := strings.IndexAny(src[at:], "%<")
		if i < 0 {
			break
		}
		start := at + i
		end := "%%"
		if src[start] == '<' {
			end = "-->"
		}
		at = start + 2 + strings.Index(src[start+2:], end) + len(end)
		hidden = append(hidden, note.Span{Start: start, End: at})
	}
	for before, want := range map[int]string{
		9: "[left out: a comment]\n one\ntwo [left out: a comment] and [left out: a comment].\n[Request 1]\n\n> [left out: a comment]\nend",
		2: "[left out: a comment] one\ntwo [left out: a comment] and [left out: a comment].\n[Request 1]\n\n> [left out: a comment]\nend",
		3: "[left out: a comment]\n one\ntwo [left out: a comment] and [left out: a comment].\n[Request 1]\n\n> [left out: a comment]\nend",
	} {
		if got := windowOf(src, Frame{LinesAbove: before, LinesBelow: 9, Hidden: hidden}); got != want {
			t.Errorf("%d before:\n%s\nwant\n%s", before, got, want)
		}
	}
	if got := windowOf(src, Frame{LinesAbove: 9, LinesBelow: 9}); strings.Count(got, "SECRET") != 6 {
		t.Error(got)
	}
	if got := Surroundings("a [left out: a comment] b [Request 1] c [left out: 12 bytes of hex]"); got != "a  b  c " {
		t.Errorf("%q", got)
	}
}

// However long a note's lines are and however many of them are hidden, its windows cost little.
func TestWindowsCostLittle(t *testing.T) {
	testmain.Long(t, "it measures what long notes cost")
	const question, parts, most = "\n> @agent-Miner q\n", 50, 5
	for name, row := range map[string]struct {
		text  string
		times int
	}{
		"params":   {"data:a/b;c=\"d\";", 20_000},
		"uris":     {"data:a/b,", 20_000},
		"brackets": {"<data:,x", 100_000},
		"pictures": {"data:image/svg+xml,<svg ", 10_000},
		"runs":     {strings.Repeat("a", 513) + " ", 2000},
		"requests": {"a line of text" + question, 1000},
	} {
		frame := Frame{LinesAbove: 1000, LinesBelow: 1000, Bytes: 1 << 16}
		for try := 1; ; try++ { // a busy machine may stop one of the two
			start := time.Now()
			windowOf(strings.Repeat(row.text, row.times)+question, frame)
			whole := time.Since(start)
			start = time.Now()
			for range parts {
				windowOf(strings.Repeat(row.text, row.times/parts)+question, frame)
			}
			pieces := time.Since(start)
			if whole <= most*pieces {
				break
			}
			if try == 3 {
				t.Errorf("%s took %v, and in %d parts %v, three times in a row", name, whole, parts, pieces)
				break
			}
		}
	}
}
