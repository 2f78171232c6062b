package note

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"vaultdispatcher/engine/testdata/testseed"
)

func TestReadRole(t *testing.T) {
	for _, tt := range []struct{ text, name, rest string }{
		{"Miner what", "Miner", " what"},
		{"a-b_9:T x", "a-b_9", ":T x"},
		{"Ärzte x", "Ärzte", " x"},
		{"A\u0308rzte x", "Ärzte", " x"},
		{"Врач\u00a0x", "Врач", "\u00a0x"},
		{"研究員\u3000x", "研究員", "\u3000x"},
		{"हिंदी२ x", "हिंदी२", " x"},
		{"Miner\xff", "Miner", "\xff"},
		{"Mi\u200bner", "Mi", "\u200bner"},
		{"Miner.x", "Miner", ".x"},
		{"9a", "", "9a"},
		{"-a", "", "-a"},
		{"\u0308a", "", "\u0308a"},
		{"\xff", "", "\xff"},
		{"", "", ""},
	} {
		if name, n := readRole([]byte(tt.text)); name != tt.name || tt.text[n:] != tt.rest {
			t.Errorf("%q: %q, rest %q", tt.text, name, tt.text[n:])
		}
	}
	if name, n := readName([]byte("2.β-x_1 y"), "._-"); name != "2.β-x_1" || n != len("2.β-x_1") {
		t.Errorf("TaskID %q", name)
	}
}

func TestIsConfusable(t *testing.T) {
	for _, name := range []string{"Miner", "Ärzte", "Врач-2", "Ερευνητής", "研究員", "リサーチャー", "AIアシスタント", "東京タワー", "김치", "हिंदी", "עורך", "محرر", "Éditeur_de-texte", "ผู้ช่วย"} {
		if isConfusable(name) || !IsRole(name) {
			t.Errorf("%s is refused", name)
		}
	}
	for _, name := range []string{"Мiner", "Minеr", "Mineρ", "Ｍiner", "𝐌iner", "Minerª", "ﬁnder", "Miɡrator", "МайнерX", "工Б"} {
		if !isConfusable(name) || IsRole(name) {
			t.Errorf("%s is let in", name)
		}
	}
	for _, name := range []string{"", "A\u0308", "a b", "9", "a.b", "*"} {
		if IsRole(name) {
			t.Errorf("%q is a role", name)
		}
	}
}

func TestFoldRole(t *testing.T) {
	for _, same := range [][2]string{{"Miner", "MINER"}, {"ÄRZTE", "ärzte"}, {"ΕΡΕΥΝΗΤΉΣ", "ερευνητής"}, {"ВРАЧ", "Врач"}} {
		if foldRole(same[0]) != foldRole(same[1]) {
			t.Errorf("%s is not %s", same[0], same[1])
		}
	}
	if foldRole("Mıner") == foldRole("Miner") {
		t.Error("an i without its dot is an i")
	}
}

// What is read is a name of itself, however it is cut from a text; its length is where it ends.
func TestRandomNames(t *testing.T) {
	start := testseed.Take(t)
	r := rand.New(rand.NewPCG(start, 0))
	letters := []rune("aZ9_-.: \u00a0\u3000äÄ\u0308Жж研究アーहि२\u200bＭ𝐌ﬁİıςΣẞß\ufffd")
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		text := b.String()
		name, n := readRole([]byte(text))
		again, m := readRole([]byte(name))
		if again != name || m != len(name) || !utf8.ValidString(name) || (n == 0) != (name == "") {
			t.Fatalf("%q: %q of length %d, then %q of %d", text, name, n, again, m)
		}
		if !isConfusable(name) && name != "" && !IsRole(name) {
			t.Fatalf("%q is no role", name)
		}
	}
}
