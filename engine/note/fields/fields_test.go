package fields

import "testing"

// A field that would bring something to life is none any more, and every other one stays.
func TestBreak(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"[k:: ![](https://x)]":              "[k: : ![](https://x)]",
		"(k:: `= this.x`)":                  "(k: : `= this.x`)",
		"[k:: [a](b:c)] (due:: 2026-01-01)": "[k: : [a](b:c)] (due:: 2026-01-01)",
		"[k:::: \\<b]":                      "[k: : : : \\<b]",
		"[k:: [a](https://x) &lt;b]":        "[k:: [a](https://x) &lt;b]",
	} {
		got := Break(in)
		if got != want {
			t.Errorf("%q became %q", in, got)
		}
		if again := Break(got); again != got {
			t.Errorf("%q\nthen %q", got, again)
		}
	}
}
