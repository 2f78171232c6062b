package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/note/unseen"
)

// This file is what a person may decide on the phone. A message of ntfy about a proposal has buttons that send a reply to a
// topic of their own. A reply is one of ours by its signature, good for one act on one proposal, for an hour and once.

// offerFor is how long a reply is good.
const offerFor = time.Hour

// ntfy makes a file of a longer message (https://docs.ntfy.sh/publish/#limitations), and reads at most twice as much JSON
// (https://github.com/binwiederhier/ntfy/blob/81a486adc11fe24efcbedefb28ae946028597c2f/server/server.go, transformBodyJSON).
const (
	longestDiff = 4096
	longestBody = 2 * 4096
)

// Decisions are a person's about proposals, as [api.Backend] has them.
type Decisions interface {
	Proposed(ctx context.Context) ([]api.Proposal, error)
	Accept(ctx context.Context, id string, req api.AcceptRequest) (api.Dispatch, error)
	Reject(ctx context.Context, id, because string) (api.Dispatch, error)
}

// Offers keep which replies may decide about a proposal, as a [journal.Journal] does.
type Offers interface {
	Get(ctx context.Context, id string) (journal.Dispatch, error)
	KeepPart(ctx context.Context, id, key, text string) error
	Part(ctx context.Context, id, key string) (string, error)
}

// Replies are what a Sender needs for wiki.webhook.replyTopic.
type Replies struct {
	Secret    string // of the state folder; "" = replies decide nothing
	Dashboard string // the address of the page with what is proposed
	Offers    Offers
	Decisions Decisions
}

// action is a button of a message (https://docs.ntfy.sh/publish/#send-http-request).
type action struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	URL    string `json:"url"`
	Body   string `json:"body,omitempty"`
	Clear  bool   `json:"clear,omitempty"` // takes the message away once the reply was sent
}

// offer gives a message about a proposal its buttons. Without a topic that is protected there is only one, which opens the
// dashboard; to accept, a person must also see all that would be written.
func (s *Sender) offer(ctx context.Context, m Message) Message {
	if m.dispatch == "" || !s.hearsReplies() {
		return m
	}
	ctx, cancel := context.WithTimeout(ctx, eachTry)
	defer cancel()
	list, err := s.opts.Replies.Decisions.Proposed(ctx)
	i := slices.IndexFunc(list, func(p api.Proposal) bool { return p.ID == m.dispatch })
	if err != nil || i < 0 {
		return m
	}
	p := list[i]
	m.actions = []action{{Action: "view", Label: "Open the dashboard", URL: s.opts.Replies.Dashboard}}
	if !s.isProtected(ctx) {
		return m
	}
	mark := rand.Text()
	if s.opts.Replies.Offers.KeepPart(ctx, p.ID, journal.PartOffer, mark) != nil {
		return m
	}
	until := time.Now().Add(offerFor)
	button := func(label string, r reply) action {
		return action{Action: "http", Label: label, URL: openAddress(s.opts.Config, s.opts.Config.ReplyTopic), Body: r.sign(s.secret), Clear: true}
	}
	buttons := append([]action{button("Reject", reply{"reject", p.ID, mark, "", until})}, m.actions...)
	whole := m
	whole.Text = p.Diff
	whole.actions = append([]action{button("Accept", reply{"accept", p.ID, mark, p.Seen, until})}, buttons...)
	if m.actions = buttons; m.showsAnswer && p.Problem == "" && s.opts.Rules.MayLeave(journal.Exchange{File: p.File, Role: p.Role}) && isShownWhole(whole, s.opts.Config) {
		return whole
	}
	return m
}

// isShownWhole reports whether a person sees all of the text of a message, and nothing that looks like something else. A phone
// fetches the messages of a protected topic itself, so that no push service cuts them
// (https://github.com/binwiederhier/ntfy/blob/03714bdeb3572aea05b4ff789af34cf7bff690f2/server/server_firebase.go, toFirebaseMessage).
func isShownWhole(m Message, c config.Webhook) bool {
	_, body := pack(m, c)
	text, err := json.Marshal(body)
	isHidden := func(r rune) bool { return !unicode.IsGraphic(r) && !strings.ContainsRune("\r\n\t", r) }
	return err == nil && m.Text != "" && len(m.Text) <= longestDiff && len(text) <= longestBody && unseen.Drop(m.Text) == m.Text && !strings.ContainsFunc(m.Text, isHidden)
}

// openAddress is the address of something at the server, without what lets us in there.
func openAddress(c config.Webhook, name string) string {
	u, _ := splitTopic(c.URL)
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path + name}).String()
}

// isProtected asks whether the server lets this program read its own messages, and no client without a token
// (https://github.com/binwiederhier/ntfy/blob/81a486adc11fe24efcbedefb28ae946028597c2f/server/server.go,
// authorizeTopicRead).
func (s *Sender) isProtected(ctx context.Context) bool {
	if s.key == "" {
		return false
	}
	_, topic := splitTopic(s.opts.Config.URL)
	answer := func(key string) int {
		resp, err := s.client.Get(ctx, openAddress(s.opts.Config, topic+"/auth"), key)
		if refusal, ok := errors.AsType[*modelhttp.Refusal](err); ok {
			return refusal.Status
		} else if err != nil {
			return 0
		}
		resp.Body.Close()
		return http.StatusOK
	}
	open := answer("")
	return (open == http.StatusUnauthorized || open == http.StatusForbidden) && answer(s.key) == http.StatusOK
}

// reply is what a button sends.
type reply struct {
	act, dispatch string
	mark          string // of the offer that it belongs to
	hash          string // the hash of the diff that was shown; "" for reject
	expiry        time.Time
}

// sign makes the text of a reply.
func (r reply) sign(secret []byte) string {
	text := strings.Join([]string{r.act, r.dispatch, r.mark, r.hash, strconv.FormatInt(r.expiry.Unix(), 10)}, ".")
	return text + "." + signatureOf(secret, text)
}

func signatureOf(secret []byte, text string) string {
	sum := hmac.New(sha256.New, secret)
	sum.Write([]byte(text))
	return hex.EncodeToString(sum.Sum(nil))
}

// readReply reads a text that has our signature.
func readReply(secret []byte, text string) (r reply, ok bool) {
	i := strings.LastIndexByte(text, '.')
	if i < 0 || !hmac.Equal([]byte(text[i+1:]), []byte(signatureOf(secret, text[:i]))) {
		return r, false
	}
	fields := strings.Split(text[:i], ".")
	if len(fields) != 5 {
		return r, false
	}
	until, err := strconv.ParseInt(fields[4], 10, 64)
	return reply{fields[0], fields[1], fields[2], fields[3], time.Unix(until, 0)}, err == nil
}

// Why a reply did nothing.
const (
	isForged = "not signed here"
	isLate   = "too late"
	isUsed   = "used before"
	isAway   = "about a note whose vault does not respond"
	isOver   = "about what is no proposal any more, or another one"
)

// decide does what a reply says, and returns why it did nothing. A reply is used up by the step in which it decides
// ([journal.PartOffer]), so that no crash loses it and no copy of it decides again; one that decides nothing is used up too, unless
// its vault does not respond or the engine ends. A vault may need a moment, such as after a start.
func (s *Sender) decide(ctx context.Context, text string) (refused string) {
	r, ok := readReply(s.secret, text)
	if !ok {
		return isForged
	}
	ctx, cancel := context.WithTimeout(ctx, eachTry)
	defer cancel()
	mark, err := s.opts.Replies.Offers.Part(ctx, r.dispatch, journal.PartOffer)
	switch {
	case err != nil || mark == "" || mark != r.mark:
		return isUsed
	case !time.Now().Before(r.expiry):
		return isLate
	}
	for err = s.use(ctx, r); errors.Is(err, api.ErrOffline); err = s.use(ctx, r) {
		if due.Sleep(ctx, time.Second) != nil {
			return isAway
		}
	}
	if err == nil {
		return ""
	} else if ctx.Err() != nil {
		return isAway
	}
	err = errors.Join(err, s.opts.Replies.Offers.KeepPart(ctx, r.dispatch, journal.PartOffer, ""))
	if problem, ok := errors.AsType[*api.StatusError](err); ok && problem.Code == "changed" {
		s.tellChanged(ctx, r.dispatch)
	}
	s.opts.Log.Info("a reply decides nothing", "dispatch", r.dispatch, "error", err)
	return isOver
}

// use does what a reply says that may decide.
func (s *Sender) use(ctx context.Context, r reply) (err error) {
	if r.act == "accept" {
		_, err = s.opts.Replies.Decisions.Accept(ctx, r.dispatch, api.AcceptRequest{Seen: r.hash})
	} else {
		_, err = s.opts.Replies.Decisions.Reject(ctx, r.dispatch, "")
	}
	return err
}

// tellChanged tells of a proposal once more, because its note has changed since it was accepted.
func (s *Sender) tellChanged(ctx context.Context, id string) {
	d, err := s.opts.Replies.Offers.Get(ctx, id)
	if m, ok := Compose(news.Item{Event: news.Proposed}, d, s.opts.Config.Text, s.opts.Rules); ok && err == nil {
		m.Title = "Nothing was written, because the note has changed. " + m.Title
		s.send(m)
	}
}

// refusals counts replies that did nothing, by why.
type refusals struct {
	mu     sync.Mutex // guards counts
	counts map[string]int
}

func (r *refusals) add(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = make(map[string]int)
	}
	r.counts[why]++
}

// list returns how many there were, and of each kind.
func (r *refusals) list() (all int, kinds string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var parts []string
	for _, why := range []string{isForged, isLate, isUsed, isAway, isOver} {
		if n := r.counts[why]; n > 0 {
			all, parts = all+n, append(parts, strconv.Itoa(n)+" "+why)
		}
	}
	return all, strings.Join(parts, ", ")
}
