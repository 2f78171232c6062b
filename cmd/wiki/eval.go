package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/recall/eval"
)

// indexCommand holds what is about the index itself.
func (a *app) indexCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Measure how well search finds your notes",
		Args:  takesNone,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.evalCommand())
	return cmd
}

// measured is the result for one vault.
type measured struct {
	Vault string `json:"vault"`
	eval.Result
	Use    string `json:"use,omitempty"` // the ranking that finds most
	Advice string `json:"advice"`
}

func (a *app) evalCommand() *cobra.Command {
	opts := eval.Options{}
	var only string
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Compare search settings on your own notes",
		Long: "Makes queries from your own notes (titles, headings, sentences around a link) whose right\n" +
			"answer is known, and counts how often words, links and meaning find it. Nothing is\n" +
			"written. wiki run must have indexed the vault before.",
		Args: takesNone,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkRange("queries", opts.Queries, 1, 1000); err != nil {
				return err
			}
			cfg, err := a.loadConfig()
			if err != nil {
				return err
			}
			var all []measured
			for _, v := range cfg.Vaults {
				if only != "" && v.Name != only {
					continue
				}
				m, err := a.measureVault(cmd, cfg, v, opts)
				if err != nil {
					return err
				}
				all = append(all, m)
			}
			if len(all) == 0 {
				return fail("wiki.vaults names your folders of notes", "there is no such vault")
			}
			return a.show(all, func(w io.Writer) { printMeasured(w, all) })
		},
	}
	cmd.Flags().IntVar(&opts.Queries, "queries", 100, "at most this `number` of each kind")
	cmd.Flags().DurationVar(&opts.Time, "time", time.Minute, "`time` for each vault")
	cmd.Flags().Uint64Var(&opts.Seed, "seed", 1, "`number` that decides which notes are asked about")
	cmd.Flags().StringVar(&only, "vault", "", "only the vault of that `name`")
	return cmd
}

func (a *app) measureVault(cmd *cobra.Command, cfg config.Config, v config.Vault, opts eval.Options) (measured, error) {
	cache, err := config.CacheDir(v.Path)
	if err != nil {
		return measured{}, err
	}
	e, err := engine.Evaluate(cmd.Context(), cfg, v, cache, opts)
	if errors.Is(err, engine.ErrNotIndexed) {
		return measured{}, fail("wiki run indexes it", "%s is not indexed yet", v.Name)
	}
	if errors.Is(err, recall.ErrUnusable) {
		return measured{}, fail("wiki run makes it again", "the index of %s is damaged or of another version", v.Name)
	}
	if err != nil {
		return measured{}, err
	}
	return measured{Vault: v.Name, Result: e, Use: e.Best(), Advice: adviseSetting(cfg, e)}, nil
}

// adviseSetting says what to set.
func adviseSetting(cfg config.Config, e eval.Result) string {
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

// unhelpfulMeaning is what to add where meaning was measured and did not help.
func unhelpfulMeaning(e eval.Result) string {
	if len(e.Rankings) < 3 {
		return ""
	}
	return "; meaning does not help here: set wiki.embedding.weight: 0, or try another model"
}

func printMeasured(w io.Writer, all []measured) {
	for i, m := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %d notes, asked for %d titles, %d headings, %d links in %.1f s\n",
			m.Vault, m.Notes, m.Queries.Titles, m.Queries.Headings, m.Queries.Links, m.Took)
		tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		fmt.Fprintln(tw, "ranking\trecall@5\tMRR@10\tp50")
		for _, r := range m.Rankings {
			fmt.Fprintf(tw, "%s\t%.3f\t%.3f\t%.1f ms\n", r.Ranking, r.Recall, r.MRR, r.P50)
		}
		tw.Flush()
		if m.Embedding != "" {
			fmt.Fprintf(w, "hybrid was not measured: %s\n", m.Embedding)
		}
		fmt.Fprintf(w, "advice: %s\n", m.Advice)
	}
}
