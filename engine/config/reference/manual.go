package reference

import (
	"fmt"
	"strings"
	"time"
)

const variableRule = "A single value has a variable of the environment too, which wins: its key in capitals with\n" +
	"underscores, such as `WIKI_DISPATCH_CONCURRENCY` for `wiki.dispatch.concurrency`. Lists and roles have none,\n" +
	"except `WIKI_VAULTS`, which is separated as `PATH` is."

// Manual returns the page wiki-config(5), for the program of a version and date.
func Manual(version string, at time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH \"WIKI\\-CONFIG\" \"5\" \"%s\" \"Vault Dispatcher %s\" \"File Formats\"\n", at.Format("Jan 2006"), version)
	b.WriteString(".SH NAME\nwiki\\-config \\- the settings of wiki, in its file config.yaml\n.SH DESCRIPTION\n" +
		"The settings are one file of YAML with the block wiki. ")
	b.WriteString(roff(strings.ReplaceAll(variableRule, "\n", " ")) + "\n.PP\n" +
		roff("`wiki config list` shows what is set, `wiki config set KEY VALUE` changes one key, checks it first and keeps comments.") + "\n.SH KEYS\n")
	for _, k := range Keys() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s.\n.br\n%s", roff(k.Key), roff(k.Text), roff(k.Type))
		if k.Default != "" {
			fmt.Fprintf(&b, "; default: %s", roff(k.Default))
		}
		fmt.Fprintf(&b, "; example: %s; since %s\n", roff(k.Example), roff(k.FirstVersion))
	}
	b.WriteString(".SH FILES\n.TP\n.I ~/.config/vault-dispatcher/config.yaml\nthe file; $XDG_CONFIG_HOME counts where it is set\n" +
		".SH SEE ALSO\nwiki(1), wiki\\-config(1)\n")
	return b.String()
}

// roff returns a text without marks of Markdown, for a manual page: man has a dash for a hyphen, and a
// line that begins with a dot or a quote is a request.
func roff(text string) string {
	text = strings.NewReplacer("`", "", `\`, `\e`, "-", `\-`, "\"", `\(dq`, "'", `\(aq`, "~", `\(ti`, "^", `\(ha`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
