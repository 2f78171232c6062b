package config

import (
	"path/filepath"
	"strings"
	"testing"
)

// Whatever the file holds, the answer is an error in plain lines or a
// configuration that is valid and that reading again gives again.
func FuzzLoad(f *testing.F) {
	alone(f)
	f.Add(documented)
	for _, test := range refused {
		f.Add(test.file)
	}
	f.Add("wiki: {vaults: {a: &x {path: ~/a, <<: {watch: poll}}, b: {path: ~/b}}}")
	f.Add("a: &a [x,x]\nb: &b [*a,*a]\nwiki: {exclude: *b}")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseConfig("config.yaml", []byte(text))
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "config.yaml") || strings.TrimSpace(line) != line {
					t.Fatalf("an error that is no line of its own: %q", err)
				}
			}
			return
		}
		if err := c.Validate(); err != nil {
			t.Fatalf("loaded but not valid: %v", err)
		}
		for _, v := range c.Vaults {
			if v.Name == "" || !filepath.IsAbs(v.Path) {
				t.Fatalf("a vault without a name or a place: %+v", v)
			}
		}
		again, err := parseConfig("config.yaml", []byte(text))
		if err != nil || !again.HasSameSettings(c) {
			t.Fatalf("read again: %v\n%+v\n%+v", err, c, again)
		}
	})
}
