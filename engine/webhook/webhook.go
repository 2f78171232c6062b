// Package webhook tells a server of the person's choice what became of questions: ntfy, Slack, or any that takes JSON.
//
//	s, err := webhook.New(webhook.Options{Config: cfg.Webhook, Rules: rules, Log: log})
//	go s.Run(ctx)
//	s.Tell(item, dispatch)
//
// # Promises
//
// Tell waits for nothing and cannot fail. At most [MostWaiting] messages wait, and each is sent again for at most an
// hour; the rest is dropped, and the log says how many. A server whose own answer was lost gets a message twice, with
// the same id. Text that [Compose] hides is sent to no server. Neither the token nor the address, which may be a
// secret, is in any log. While a server takes nothing, [Sender.Notices] says why, and what a person can do.
//
// A reply over wiki.webhook.replyTopic decides about a proposal only where it has our signature, belongs to the last message about
// that proposal, is at most an hour old and the first one; all others do nothing and are counted.
package webhook

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/secret"
	"vaultdispatcher/engine/sharing"
)

// MostWaiting is how many messages may wait for a server that is slow or away.
const MostWaiting = 100

// mostSingle is how many messages that wait together are sent one by one; more become one that counts them.
const mostSingle = 3

// eachTry bounds one request.
const eachTry = 30 * time.Second

var usualWaits = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute}

// Options are what a Sender works with.
type Options struct {
	Config config.Webhook
	Rules  *sharing.Rules
	Log    *slog.Logger

	Replies Replies

	Changed func() // tells that [Sender.Notices] are others; it must not wait
}

// Sender tells a server. It is safe for concurrent use; a nil Sender does nothing.
type Sender struct {
	opts    Options
	key     string
	client  *modelhttp.Client
	waits   []time.Duration // between tries
	silence time.Duration   // after which a connection for replies is given up
	waiting chan Message
	drops   atomic.Int64
	mute    trouble // why the server takes no messages
	deaf    trouble // why it hands no replies on

	secret  []byte    // signs replies
	start   time.Time // when it began to listen
	refused refusals
}

// New returns a Sender, or nil where no address is configured. The error says what is wrong with the token.
func New(opts Options) (*Sender, error) {
	if opts.Config.URL == "" {
		return nil, nil
	}
	key, err := secret.ReadKey(opts.Config.TokenEnv, modelhttp.FindKey(opts.Config.TokenEnv, nil))
	if err != nil {
		return nil, err
	}
	return &Sender{opts: opts, key: key, client: modelhttp.NewClient(1), waits: usualWaits, silence: longestSilence, waiting: make(chan Message, MostWaiting),
		secret: []byte(signatureOf([]byte(opts.Replies.Secret), "replies over ntfy"))}, nil
}

// Tell has a server told what became of a question, unless it is no news, or private.
func (s *Sender) Tell(n news.Item, d journal.Dispatch) {
	if s == nil || d.Asked == journal.AskedTold { // the caller sees the answer
		return
	}
	if m, ok := Compose(n, d, s.opts.Config.Text, s.opts.Rules); ok {
		s.send(m)
	}
}

func (s *Sender) send(m Message) {
	select {
	case s.waiting <- m:
	default:
		s.drops.Add(1)
	}
}

// Run sends what there is to tell, and listens for replies, until ctx ends.
func (s *Sender) Run(ctx context.Context) {
	if s == nil {
		return
	}
	if s.start = time.Now(); s.hearsReplies() {
		var listening sync.WaitGroup
		listening.Go(func() { s.listen(ctx) })
		defer listening.Wait()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-s.waiting:
			for _, m := range s.gather(m) {
				s.deliver(ctx, m)
			}
		}
	}
}

// gather takes all that waits; many messages become one.
func (s *Sender) gather(first Message) []Message {
	all := []Message{first}
	for {
		select {
		case m := <-s.waiting:
			all = append(all, m)
			continue
		default:
		}
		if len(all) > mostSingle {
			return []Message{Count(all)}
		}
		return all
	}
}

// deliver sends a message until the server has taken it or will not.
func (s *Sender) deliver(ctx context.Context, m Message) {
	if n := s.drops.Swap(0); n > 0 {
		s.opts.Log.Warn("messages to wiki.webhook.url were dropped: too many wait", "count", n)
	}
	address, body := pack(s.offer(ctx, m), s.opts.Config)
	begun := time.Now()
	for try := 0; ; try++ {
		err := s.post(ctx, address, body)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			s.mute.tell("", s.opts.Changed)
			return
		}
		refusal, isRefused := errors.AsType[*modelhttp.Refusal](err)
		isFinal := isRefused && isFinal(refusal.Status) || try == len(s.waits)
		if isFinal || isNews(err, begun) {
			s.mute.tell(advise(err), s.opts.Changed)
		}
		if isFinal {
			s.opts.Log.Warn("a message to wiki.webhook.url was dropped", "id", m.ID, "tries", try+1, "reason", explain(err))
			return
		}
		wait := s.waits[try]
		if isRefused {
			if asked, ok := refusal.RetryAfter(time.Now()); ok {
				wait = min(max(wait, asked), s.waits[len(s.waits)-1])
			}
		}
		if due.Sleep(ctx, wait) != nil {
			return
		}
	}
}

// post makes one request. Servers confirm with any status of success.
func (s *Sender) post(ctx context.Context, address string, body any) error {
	ctx, cancel := context.WithTimeout(ctx, eachTry)
	defer cancel()
	resp, err := s.client.Post(ctx, address, s.key, body)
	if refusal, ok := errors.AsType[*modelhttp.Refusal](err); ok && refusal.Status/100 == 2 {
		return nil
	}
	if err == nil {
		resp.Body.Close()
	}
	return err
}
