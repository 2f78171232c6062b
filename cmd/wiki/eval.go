package main

import (
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/report"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/eval"
	"vaultdispatcher/engine/meaning"
	"vaultdispatcher/engine/recall"
)

// indexCommand holds what is about the index itself.
func (a *app) indexCommand() *cobra.Command {
	return groupCommands("index", "Measure how well search finds your notes", a.evalCommand())
}

func (a *app) evalCommand() *cobra.Command {
	opts := eval.Options{}
	var only string
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Compare search settings on your own notes",
		Long: "Makes queries out of your own notes (titles, headings, sentences around a link), so that the right\n" +
			"note is known, and counts how often search by words, by links and by meaning finds it. Nothing is\n" +
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
			var all []report.Measured
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
			return a.show(all, func(w io.Writer) { report.PrintMeasured(w, all) })
		},
	}
	cmd.Flags().IntVar(&opts.Queries, "queries", 100, "at most this `number` of each kind")
	cmd.Flags().DurationVar(&opts.Time, "time", time.Minute, "`time` for each vault")
	cmd.Flags().Uint64Var(&opts.Seed, "seed", 1, "`number` that decides which notes are asked about")
	cmd.Flags().StringVar(&only, "vault", "", "only the vault of that `name`")
	return cmd
}

func (a *app) measureVault(cmd *cobra.Command, cfg config.Config, v config.Vault, opts eval.Options) (report.Measured, error) {
	cache, err := config.CacheDir(v.Path)
	if err != nil {
		return report.Measured{}, err
	}
	e, err := eval.Evaluate(cmd.Context(), cfg, v, cache, meaning.New(cfg.Embedding), opts)
	if errors.Is(err, eval.ErrNotIndexed) {
		return report.Measured{}, fail("wiki run indexes it", "%s is not indexed yet", v.Name)
	}
	if errors.Is(err, recall.ErrUnusable) {
		return report.Measured{}, fail("wiki run makes it again", "the index of %s is damaged or of another version", v.Name)
	}
	if err != nil {
		return report.Measured{}, err
	}
	return report.Measured{Vault: v.Name, Result: e, Use: e.Best(), Advice: report.AdviseSetting(cfg, e)}, nil
}
