package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/eval"
)

// Measured is the result for one vault.
type Measured struct {
	Vault string `json:"vault"`
	eval.Result
	Use    string `json:"use,omitempty"` // the ranking that finds most
	Advice string `json:"advice"`
}

// AdviseSetting says what to set.
func AdviseSetting(cfg config.Config, e eval.Result) string {
	switch e.Best() {
	case "":
		return "too few queries could be made of this vault to tell; titles, headings and links of several words make them"
	case eval.RankHybrid:
		return "meaning finds more than words and links do; keep wiki.embedding as it is"
	case eval.RankGraph:
		if !cfg.Graph.Enabled {
			return "set wiki.graph.enabled: true" + unhelpfulMeaning(e)
		}
		return "keep wiki.graph.enabled: true" + unhelpfulMeaning(e)
	}
	return "words alone find as much as anything else, so wiki.graph.enabled makes no difference here" + unhelpfulMeaning(e)
}

// unhelpfulMeaning is what to add where meaning was Measured and did not help.
func unhelpfulMeaning(e eval.Result) string {
	if len(e.Rankings) < 3 {
		return ""
	}
	return "; meaning does not help here: set wiki.embedding.weight: 0, or try another model"
}

// PrintMeasured prints how well each ranking finds notes, and what to set.
func PrintMeasured(w io.Writer, all []Measured) {
	for i, m := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		printable.Fprintf(w, "%s: %d notes, asked for %d titles, %d headings, %d links in %.1f s\n",
			m.Vault, m.Notes, m.Queries.Titles, m.Queries.Headings, m.Queries.Links, m.Took)
		tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		printable.Fprintln(tw, "ranking\trecall@5\tMRR@10\tp50")
		for _, r := range m.Rankings {
			printable.Fprintf(tw, "%s\t%.3f\t%.3f\t%.1f ms\n", r.Ranking, r.Recall, r.MRR, r.P50)
		}
		tw.Flush()
		if m.Embedding != "" {
			printable.Fprintf(w, "hybrid was not measured: %s\n", m.Embedding)
		}
		printable.Fprintf(w, "advice: %s\n", m.Advice)
	}
}
