package webhook

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"strings"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/news"
	"vaultdispatcher/engine/sharing"
	"vaultdispatcher/engine/wording"
)

// Message is what a server is told, and the body of a request in the format json.
type Message struct {
	ID    string `json:"id"`   // the same when it is sent again
	Event string `json:"what"` // done, failed, held or proposed; empty for several together
	Vault string `json:"vault,omitempty"`
	Note  string `json:"note,omitempty"` // its path in the vault
	Role  string `json:"role,omitempty"`
	Title string `json:"title"`          // one line for a person
	Text  string `json:"text,omitempty"` // the answer, or why it is missing

	dispatch    string // that a person may decide about by a reply; "" = none
	showsAnswer bool   // the text may have what would be written
	actions     []action
}

// longest bounds the text in characters. ntfy makes a file of a message with more than 4,096 bytes
// (https://docs.ntfy.sh/publish/#limitations).
const longest = 1000

// kinds are the words of what is told, and its sentences.
var kinds = map[news.What]struct{ name, happened, count string }{
	news.Answered: {"done", "A question was answered", "answered"},
	news.NoResult: {"done", "A question has no result", "without a result"},
	news.Failed:   {"failed", "A question was not answered", "not answered"},
	news.Kept:     {"failed", "An answer has no place in its note", "without a place"},
	news.Held:     {"held", "A question waits", "waiting"},
	news.Proposed: {"proposed", "An answer is for you to approve", "for you to approve"},
}

// Compose makes the message about the new state of a question. False means that nothing is told: it is no news for a
// person who is away, or it is of a private note. Of a private note it tells only that something waits. An answer is
// included only if [sharing.Rules] let an agent on another machine know it.
func Compose(n news.Item, d journal.Dispatch, text string, rules *sharing.Rules) (Message, bool) {
	kind, ok := kinds[n.Event]
	m := Message{ID: d.ID + "-" + kind.name, Event: kind.name, Title: kind.happened}
	if !ok || !rules.MayLeave(journal.Exchange{File: d.File, Role: d.Role}) {
		return m, ok && (kind.name == "held" || kind.name == "proposed")
	}
	if text == "off" {
		return m, true
	}
	m.Vault, m.Note, m.Role = n.Vault, d.File, d.Role
	m.Title = wording.Shorten(wording.Line(fmt.Sprintf("%s: %s (%s)", kind.happened, strings.TrimSuffix(path.Base(d.File), path.Ext(d.File)), d.Role)), 120)
	m.showsAnswer = text == "answer" && rules.MayLeave(journal.Exchange{File: d.File, Role: d.Role, Runner: d.Runner, Recipe: d.Recipe}) && rules.WhyNotTold(d.Role) == ""
	if m.showsAnswer {
		m.Text = n.Reason
		if kind.name != "failed" && kind.name != "held" {
			m.Text = strings.TrimSpace(d.JoinAnswers())
		}
		m.Text = wording.Shorten(m.Text, longest)
	}
	if n.Event == news.Proposed {
		m.dispatch = d.ID
	}
	return m, true
}

// Count makes one message of several.
func Count(all []Message) Message {
	var parts []string
	counts := make(map[string]int)
	for _, m := range all {
		happened, _, _ := strings.Cut(m.Title, ":")
		counts[happened]++
	}
	for _, what := range []news.What{news.Answered, news.NoResult, news.Failed, news.Kept, news.Held, news.Proposed} {
		if n := counts[kinds[what].happened]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kinds[what].count))
		}
	}
	return Message{ID: all[0].ID + "-and-more", Title: fmt.Sprintf("%d questions: %s", len(all), strings.Join(parts, ", "))}
}

// slackText has the characters replaced that mean something to Slack
// (https://docs.slack.dev/messaging/formatting-message-text/#escaping).
var slackText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// pack makes the address and the body of a request. ntfy takes JSON at its root and the topic in it
// (https://docs.ntfy.sh/publish/#publish-as-json); with the same sequence_id it shows a message that came twice once.
func pack(m Message, c config.Webhook) (address string, body any) {
	switch c.Format {
	case "slack":
		return c.URL, map[string]string{"text": slackText.Replace(strings.TrimSpace(m.Title + "\n" + m.Text))}
	case "ntfy":
		u, topic := splitTopic(c.URL)
		ask := map[string]any{"topic": topic, "title": m.Title, "message": cmp.Or(m.Text, m.Title), "sequence_id": m.ID}
		if len(m.actions) > 0 {
			ask["actions"] = m.actions
		}
		return u.String(), ask
	}
	return c.URL, m
}

// splitTopic returns the address of a server of ntfy, and the topic that an address names.
func splitTopic(address string) (*url.URL, string) {
	u, err := url.Parse(address)
	if err != nil { // the configuration has refused it
		return new(url.URL), ""
	}
	topic := path.Base(u.Path)
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), topic)
	return u, topic
}
