//go:build recalleval

package recallbench

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/recall"
)

// score is how well a ranker did on a set of questions.
type score struct {
	hit1, recall5, recall10, mrr float64
	p50, p95                     time.Duration
}

func rate(questions []question, r ranker) score {
	var s score
	var took []time.Duration
	n := float64(len(questions))
	for _, q := range questions {
		start := time.Now()
		notes := r.find(q, 10)
		took = append(took, time.Since(start))
		for i, note := range notes {
			if !q.want[note] {
				continue
			}
			s.mrr += 1 / float64(i+1) / n
			s.recall10 += 1 / n
			if i < 5 {
				s.recall5 += 1 / n
			}
			if i == 0 {
				s.hit1 += 1 / n
			}
			break
		}
	}
	slices.Sort(took)
	s.p50, s.p95 = took[len(took)/2], took[len(took)*95/100]
	return s
}

// only leaves all rankers out but one.
var only = flag.String("only", "", "only rankers whose name begins with `prefix`")

// among hides the answers of the FAQ among the manuals as well, some of which
// answer the questions themselves.
var among = flag.Bool("manuals", false, "hide the answers among the manuals as well")

// every thins a set out, for a quick look.
var every = flag.Int("every", 1, "ask only every `n`th question")

func table(t *testing.T, set string, questions []question, rankers ...ranker) map[string]score {
	t.Helper()
	scores := make(map[string]score)
	var some []question
	for i := 0; i < len(questions); i += max(*every, 1) {
		some = append(some, questions[i])
	}
	questions = some
	t.Logf("%s: %d questions", set, len(questions))
	t.Logf("| ranker | hit@1 | recall@5 | recall@10 | MRR@10 | query p50 | p95 | index | on disk |")
	for _, r := range rankers {
		if *only != "" && !strings.HasPrefix(r.name, *only) {
			continue
		}
		s := rate(questions, r)
		scores[r.name] = s
		t.Logf("| %s | %.3f | %.3f | %.3f | %.3f | %.1f ms | %.1f ms | %.1f s | %.1f MB |", r.name, s.hit1, s.recall5, s.recall10, s.mrr,
			s.p50.Seconds()*1e3, s.p95.Seconds()*1e3, r.built.Seconds(), float64(r.bytes)/1e6)
	}
	return scores
}

// aim says whether a figure is what is wanted of it, and fails where it is under
// the floor: what was measured before, less the noise of small sets.
func aim(t *testing.T, what string, got, want, floor float64) {
	t.Helper()
	verdict := "reached"
	if got < want {
		verdict = "missed"
	}
	t.Logf("%s: %.3f, aim %.3f: %s", what, got, want, verdict)
	if got < floor {
		t.Errorf("%s: %.3f, under the floor of %.3f", what, got, floor)
	}
}

// TestQuestions asks the questions of Perl's and Python's FAQ.
func TestQuestions(t *testing.T) {
	c := realVaults(t)
	if *among {
		c.manuals(t)
	}
	questions := c.faq(t)
	dir := t.TempDir()
	c.write(t, dir)
	ix, product := ours(t, "ours", dir, c, recall.Options{})
	_, without := ours(t, "ours, no links", dir, c, recall.Options{NoGraph: true})
	t.Logf("%d notes, %d chunks", ix.State().Notes, ix.State().Chunks)
	rankers := append([]ranker{product, without}, plainFTS5(t, c.sections())...)
	scores := table(t, "FAQ", questions, append(rankers, bleveIndex(t, c.sections()))...)
	aim(t, "recall@5 beyond FTS5 OR without stop words", scores["ours"].recall5-scores["FTS5 OR, no stop words"].recall5, 0.03, 0.015)
	aim(t, "recall@5 as a multiple of FTS5 AND", scores["ours"].recall5/max(scores["FTS5 AND"].recall5, 1e-9), 30, 30)
}

// TestDescriptions looks for notes by the description that they give of
// themselves, which is left out of them.
func TestDescriptions(t *testing.T) {
	c := realVaults(t)
	if *among {
		c.manuals(t)
	}
	questions := c.descriptions()
	dir := t.TempDir()
	c.write(t, dir)
	_, product := ours(t, "ours", dir, c, recall.Options{})
	_, without := ours(t, "ours, no links", dir, c, recall.Options{NoGraph: true})
	rankers := append([]ranker{product, without}, plainFTS5(t, c.sections())...)
	scores := table(t, "description to note", questions, append(rankers, bleveIndex(t, c.sections()))...)
	aim(t, "MRR@10 beyond FTS5 OR", scores["ours"].mrr-scores["FTS5 OR"].mrr, 0.05, 0.05)
}

// TestContext looks for the notes that a paragraph linked to, by what is left of
// it without these links.
func TestContext(t *testing.T) {
	var questions []question
	variants := make(map[string][]ranker)
	for fold := range folds {
		c := realVaults(t)
		for _, q := range c.contexts(fold) {
			q.fold = fold
			questions = append(questions, q)
		}
		dir := t.TempDir()
		c.write(t, dir)
		list := append(plainFTS5(t, c.sections()), relatedTo(t, "ours", dir, c, recall.Options{}),
			relatedTo(t, "ours, no links", dir, c, recall.Options{NoGraph: true}))
		for _, r := range list {
			variants[r.name] = append(variants[r.name], r)
		}
	}
	var rankers []ranker
	for _, name := range []string{"ours", "ours, no links", "FTS5 OR", "FTS5 OR, no stop words"} {
		rankers = append(rankers, ranker{name: name, built: variants[name][0].built, bytes: variants[name][0].bytes,
			find: func(q question, limit int) []string { return variants[name][q.fold].find(q, limit) }})
	}
	scores := table(t, "context to linked note", questions, rankers...)
	aim(t, "recall@5 as a multiple of that without links", scores["ours"].recall5/scores["ours, no links"].recall5, 1.3, 0.95)
}

// TestLinkedManuals is the same for manuals, whose pages say by their links what
// belongs together.
func TestLinkedManuals(t *testing.T) {
	c := linkedManuals(t)
	questions := c.paragraphs(150)
	dir := t.TempDir()
	c.write(t, dir)
	with := relatedTo(t, "ours", dir, c, recall.Options{})
	without := relatedTo(t, "ours, no links", dir, c, recall.Options{NoGraph: true})
	scores := table(t, "context to linked page", questions, append(plainFTS5(t, c.sections())[2:], with, without)...)
	aim(t, "recall@5 as a multiple of that without links", scores["ours"].recall5/scores["ours, no links"].recall5, 1.3, 0.95)
}

// relatedTo ranks as the passages that a task is given are ranked.
func relatedTo(t *testing.T, name, dir string, c *corpus, opts recall.Options) ranker {
	t.Helper()
	ix, r := ours(t, name, dir, c, opts)
	r.find = func(q question, limit int) []string {
		found, err := ix.Related(context.Background(), q.from, q.text, recall.RelatedOptions{Limit: 2 * limit, Words: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		for _, p := range found {
			notes = append(notes, p.Note)
		}
		return distinct(notes, q, limit)
	}
	return r
}
