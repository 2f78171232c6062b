package assets

import (
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var variable = regexp.MustCompile(`--([a-z]+): #([0-9a-f]{3}|[0-9a-f]{6});`)

// palette reads the colours of a style sheet's part.
func palette(t *testing.T, css string) map[string]float64 {
	t.Helper()
	colours := make(map[string]float64)
	for _, found := range variable.FindAllStringSubmatch(css, -1) {
		hex := found[2]
		if len(hex) == 3 {
			hex = strings.Join([]string{hex[:1], hex[:1], hex[1:2], hex[1:2], hex[2:], hex[2:]}, "")
		}
		colours[found[1]] = luminance(t, hex)
	}
	return colours
}

// luminance is how bright a colour is to the eye, as WCAG 2.2 defines it.
func luminance(t *testing.T, hex string) (sum float64) {
	t.Helper()
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// Every text of the dashboard can be read, by day and by night: at least 4.5 to 1.
func TestColoursCanBeRead(t *testing.T) {
	css, err := fs.ReadFile(Web(), "style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, rest, ok := strings.Cut(string(css), "@media (prefers-color-scheme: dark)")
	dark, _, end := strings.Cut(rest, "* {")
	if !ok || !end {
		t.Fatal("the style sheet has no part for the night")
	}
	for name, part := range map[string]string{"light": light, "dark": dark} {
		colours := palette(t, part)
		for _, pair := range []string{"ink paper", "ink card", "minor paper", "minor card", "link paper", "link card", "good paper", "good card",
			"busy paper", "busy card", "bad paper", "bad card", "ink added", "ink removed"} {
			text, ground, _ := strings.Cut(pair, " ")
			a, known := colours[text]
			b, also := colours[ground]
			if ratio := contrast(a, b); !known || !also || ratio < 4.5 {
				t.Errorf("%s: %s is %.1f to 1", name, pair, ratio)
			}
		}
	}
}

// The pages name nothing that is not here, and nothing of anybody else's.
func TestPagesNeedNothingElse(t *testing.T) {
	err := fs.WalkDir(Web(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(Web(), name)
		if err != nil {
			return err
		}
		plain := strings.ReplaceAll(string(text), `xmlns="http://www.w3.org/2000/svg"`, "")
		for _, word := range []string{"http:", "https:", "//cdn", "@import", "url(", "eval(", "innerHTML", "javascript:"} {
			if strings.Contains(plain, word) {
				t.Errorf("%s has %s", name, word)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
