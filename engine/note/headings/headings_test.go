package headings

import (
	"testing"
)

// TestFit wants headings that are equal to one of the note bold, in a paragraph of their own, and all others as they are.
func TestFit(t *testing.T) {
	t.Parallel()
	const src = "---\ntags: [a]\n---\n# Plan 2025\n\n## Summary\n\n> ### In a *quote*\n\nOpen points\n---\n\n## [Costs](costs.md)\n\n## Part\n\n## Part\n\n## 🔥\n\n## Q&A\n\n## Ideas <!-- old -->\n\n```sh\n# Not one\n```\n"
	for _, c := range []struct{ in, want string }{
		{"## Summary\n\ntext", "**Summary**\n\ntext"},
		{"text\n## summary!\ntext", "text\n\n**summary!**\n\ntext"},
		{"a\n\n###### SUMMARY ######", "a\n\n**SUMMARY**"},
		{"Summary\n===\ntext", "**Summary**\n\ntext"},
		{"> Summary\n> ---\n> text", "> **Summary**\n>\n> text"},
		{"> ## In a quote\n> text", "> **In a quote**\n>\n> text"},
		{"- ## Summary\n- b", "- **Summary**\n\n- b"},
		{"- a\n  ## Summary\n  b", "- a\n\n  **Summary**\n\n  b"},
		{"1. > ## Open points\n   > b", "1. > **Open points**\n   >\n   > b"},
		{"# **Summary**", "__**Summary**__"},
		{"# Costs", "**Costs**"},
		{"# [Costs](https://x)", "**[Costs](https://x)**"},
		{"# Part\n\n# Part", "**Part**\n\n**Part**"},
		{"# Part 1", "**Part 1**"},
		{"## 🔥", "**🔥**"},
		{"## Summary\n---", "**Summary**\n\n---"},
		{"## Summary\n\n## Summary\n===\n", "**Summary**\n\n**Summary**\n\n===\n"},

		// What is shown is the same, and so is the name that apps make of it (https://github.com/Flet/github-slugger).
		{"# &#83;ummary", "**&#83;ummary**"},
		{"# <b>Sum</b>mary", "**<b>Sum</b>mary**"},
		{"# Su<sub>mm</sub>ar<i>y</i>", "**Su<sub>mm</sub>ar<i>y</i>**"},
		{"# [Summary][docs]", "**[Summary][docs]**"},
		{"# Summary %%1%%", "**Summary %%1%%**"},
		{"# [&#83;um](x)<b>mary</b>", "**[&#83;um](x)<b>mary</b>**"},
		{"# Q&amp;A", "**Q&amp;A**"},
		{"# Ideas", "**Ideas**"},

		{"## Summary of it\n\ntext", "## Summary of it\n\ntext"},
		{"# Not one\n", "# Not one\n"},
		{"```\n## Summary\n```", "```\n## Summary\n```"},
		{"Summary\n\n#Summary", "Summary\n\n#Summary"},
		{"# Part 2", "# Part 2"},
		{"#\n\n##", "#\n\n##"},
		{"- Summary\n- [ ] Summary", "- Summary\n- [ ] Summary"},
	} {
		got := Fit([]byte(src), []string{"first", c.in})
		if got[0] != "first" || got[1] != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.in, got[1], c.want)
		}
		if again := Fit([]byte(src), got); again[1] != got[1] {
			t.Errorf("%q\nthen %q", got[1], again[1])
		}
	}
	if got := Fit([]byte("# A\r\n\r\nB\r\n--\r\n# S 1\r\n"), []string{"# B", "# S\n\n# S"}); got[0] != "**B**" || got[1] != "# S\n\n**S**" {
		t.Errorf("%q", got)
	}
}
