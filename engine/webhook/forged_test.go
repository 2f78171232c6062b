package webhook

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/testdata/testseed"
	"vaultdispatcher/engine/webhook/testdata/fakentfy"
)

// spoil changes a reply, as somebody would who wants another one.
func spoil(r *rand.Rand, text string) string {
	fields := strings.Split(text, ".")
	switch r.IntN(6) {
	case 0:
		fields[0] = map[string]string{"accept": "reject", "reject": "accept"}[fields[0]]
	case 1:
		fields[1] = "other"
	case 2:
		fields[3] = "another change"
	case 3:
		fields[4] = "99999999999"
	case 4:
		b := []byte(text)
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		return string(b)
	default:
		fields[5] = signatureOf([]byte("another key"), strings.Join(fields[:5], "."))
	}
	return strings.Join(fields, ".")
}

// No text but a reply of ours decides, and that one for an hour and of its own proposal alone.
func TestForgedReplies(t *testing.T) {
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(proposalOf("a", "x"), proposalOf("b", "x"))
		s := &Sender{opts: Options{Rules: rules(config.Default()), Config: config.Webhook{Text: "title"}, Log: slog.New(slog.DiscardHandler), Replies: Replies{Offers: d, Decisions: d}}, secret: []byte("ours"), waiting: make(chan Message, 9)}
		good := reply{"accept", "a", "mark", "seena", time.Now().Add(offerFor)}
		text := good.sign(s.secret)
		for range 5000 {
			forged := spoil(r, text)
			if why := s.decide(t.Context(), forged); why != isForged {
				t.Fatalf("seed %d: %q is %q", seed, forged, why)
			}
		}
		for _, junk := range []string{"", ".", "accept", "yes", "accept a", text[1:], text + ".", text + text, strings.ToUpper(text), strings.Repeat("a.", 1000), good.sign(nil), good.sign([]byte("theirs"))} {
			if why := s.decide(t.Context(), junk); why != isForged {
				t.Errorf("%q is %q", junk, why)
			}
		}
		for name, test := range map[string]struct {
			mark string // of what was offered last
			r    reply
			want string
		}{
			"never offered":   {"", good, isUsed},
			"an older offer":  {"newer", good, isUsed},
			"another change":  {"mark", reply{"accept", "a", "mark", "seen before", good.expiry}, isOver},
			"of no proposal":  {"mark", reply{"accept", "c", "mark", "seenc", good.expiry}, isUsed},
			"an hour too old": {"mark", reply{"accept", "a", "mark", "seena", time.Now()}, isLate},
		} {
			d.marks["a"+journal.PartOffer] = test.mark
			if why := s.decide(t.Context(), test.r.sign(s.secret)); why != test.want {
				t.Errorf("%s: %q", name, why)
			}
		}
		if m := <-s.waiting; m.dispatch != "a" || m.showsAnswer || !strings.Contains(m.Title, "changed. An answer is for you to approve: Open") {
			t.Errorf("the other change is told as %+v", m)
		}
		d.marks["a"+journal.PartOffer] = "mark"
		time.Sleep(offerFor - time.Second)
		if why := s.decide(t.Context(), text); why != "" || len(d.decided) != 1 {
			t.Errorf("a good one: %q, %q", why, d.decided)
		}
		if why := s.decide(t.Context(), text); why != isUsed {
			t.Errorf("again: %q", why)
		}
		time.Sleep(2 * time.Second)
		d.marks["a"+journal.PartOffer] = "mark"
		if why := s.decide(t.Context(), text); why != isLate || len(d.decided) != 1 {
			t.Errorf("too late: %q, %q", why, d.decided)
		}
	})
}

// A reply that comes before its vault is open waits for it, and is used up by what it decides alone; a vault that stays away keeps
// the next reply waiting for half a minute at most, and the first one is good as long as its hour lasts.
func TestRepliesWaitForTheirVault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(proposalOf("a", "x"))
		s := &Sender{opts: Options{Log: slog.New(slog.DiscardHandler), Replies: Replies{Offers: d, Decisions: d}}, secret: []byte("ours")}
		text := reply{"accept", "a", "mark", "seena", time.Now().Add(offerFor)}.sign(s.secret)
		d.marks["a"+journal.PartOffer], d.away = "mark", time.Now().Add(time.Minute)
		begun := time.Now()
		if why := s.decide(t.Context(), text); why != isAway || time.Since(begun) > eachTry || len(d.decided) > 0 {
			t.Errorf("away: %q after %s, %q", why, time.Since(begun), d.decided)
		}
		time.Sleep(eachTry / 2)
		if why := s.decide(t.Context(), text); why != "" || len(d.decided) != 1 {
			t.Errorf("back: %q, %q", why, d.decided)
		}
		if why := s.decide(t.Context(), text); why != isUsed {
			t.Errorf("again: %q", why)
		}
	})
}

// A yes that arrived when its engine was killed is heard by the next one, and is done once.
func TestReplyOfTheKilled(t *testing.T) {
	d := newDesk(proposalOf("x", "@@"))
	ntfy := &fakentfy.Server{Token: "tk_secret"}
	s, _ := replying(t, ntfy, d, "answer")
	ctx, kill := context.WithCancel(t.Context())
	d.kill = kill
	ntfy.Add(fakentfy.Event{Topic: "replies", Message: offered(d, s)})
	s.listen(ctx)
	d.kill = nil
	if len(d.all()) > 0 {
		t.Fatalf("the killed one has decided %q", d.all())
	}
	ctx, end := context.WithCancel(t.Context())
	var next sync.WaitGroup
	next.Go(func() { s.listen(ctx) })
	d.until(t, "accept x")
	end()
	next.Wait()
}
