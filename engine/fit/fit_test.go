package fit

import (
	"strings"
	"testing"
)

func TestRoomOf(t *testing.T) {
	for tokens, want := range map[int]int{512: 1152, 4096: 9216, 16384: 36864, 131072: 380928} {
		if got := RoomOf(tokens); got != want {
			t.Errorf("%d tokens: %d bytes, want %d", tokens, got, want)
		}
	}
}

func TestFitContext(t *testing.T) {
	const text = "far above\nabove\n[Request 1]\nbelow\nfar below\n\n[Request 2]\nend"
	for bytes, want := range map[int]string{
		1000: text, len(text): text,
		len(text) - 1: "far above\nabove\n[Request 1]\nbelow\n\n[Request 2]\nend",
		40:            "above\n[Request 1]\nbelow\n\n[Request 2]",
		24:            "[Request 1]\n[Request 2]",
		0:             "[Request 1]\n[Request 2]",
	} {
		if got := fitContext(text, bytes); got != want {
			t.Errorf("%d bytes: %q, want %q", bytes, got, want)
		}
	}
	long := strings.Repeat("a line of text\n", 200) + "[Request 1]\n" + strings.Repeat("a line of text\n", 200)
	for bytes := range 3000 {
		got := fitContext(long, bytes)
		if len(got) > max(bytes, len("[Request 1]")) || !strings.Contains(got, "[Request 1]") || bytes > 100 && len(got) < bytes-40 {
			t.Fatalf("%d bytes: %d: %q", bytes, len(got), got)
		}
	}
}

func TestFits(t *testing.T) {
	var f Fits
	f.Keep("Reader", Fit{4096, "x"})
	f.Keep("reader", Fit{Tokens: 512})
	if f.Of("READER") != (Fit{Tokens: 512}) || f.Of("Other") != (Fit{}) {
		t.Errorf("%+v", f.fits)
	}
}
