package api

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"
)

// Notice is one thing a person should know. A page or a command may show it in its
// own way by its code; Text is the sentence for all the others.
type Notice struct {
	ID        string            `json:"id"` // of POST /vault-mind/notices/{id}/dismiss; the same as long as it is about the same thing
	Code      string            `json:"code"`
	Args      map[string]string `json:"args"`
	Text      string            `json:"text"`
	Start     time.Time         `json:"since"`
	End       *time.Time        `json:"until"` // when it ends by itself; null = not known
	Dismissed bool              `json:"dismissed"`
}

// The codes of notices.
const (
	NoticeHeld        = "held"               // vault, kind, reason, count
	NoticeJournal     = "journal-unwritable" // error
	NoticeBehind      = "journal-behind"     // vault, day
	NoticeDamage      = "journal-damaged"    // problem, path, saved, lost
	NoticeLimit       = "role-limited"       // role, reason
	NoticeBudget      = "budget-used"        // used, percent
	NoticeLarge       = "question-large"     // role, file, estimate, dispatch
	NoticeRole        = "role-problem"       // problem
	NoticeUnwatched   = "vault-unwatched"    // vault, reason
	NoticeEngines     = "two-engines"        // vault, machines
	NoticeEnginesHere = "two-engines-here"   // vault
	NoticeUnread      = "notes-unread"       // vault, error
	NoticeWordsOnly   = "words-only"         // error
	NoticeUnknown     = "vault-unknown"      // count
	NoticeInterrupted = "write-interrupted"  // file
	NoticeBothKept    = "both-kept"          // file, copy
	NoticeUndo        = "undo-failed"        // dispatch, file, reason
	NoticeIndex       = "index-elsewhere"    // vault, folder, error
	NoticeStarter     = "starter"            // text
	NoticeUnused      = "setting-unused"     // text
	NoticePrivate     = "note-private"       // vault, file, reason, count
	NoticeUntaken     = "not-taken"          // vault, file, kind, line, reason, count
	NoticeSound       = "not-read-aloud"     // vault, file, error
	NoticeWebhook     = "not-told"           // error
	NoticeDeaf        = "replies-unheard"    // error
	NoticeReplies     = "replies-refused"    // count, error
	NoticePeers       = "peers-unknown"
)

// noticeTexts are the sentences of the codes, for one thing and for several.
var noticeTexts = map[string][2]string{
	NoticeHeld:        {"{count} question of {vault} waits for you: {reason}", "{count} questions of {vault} wait for you: {reason}"},
	NoticeJournal:     {"the journal cannot be written, so nothing goes on until it can: {error}"},
	NoticeBehind:      {"the journal was emptied or damaged, or is of an earlier day: it does not know that the vault {vault} was watched on {day}; what is open there waits for you"},
	NoticeDamage:      {"the journal was damaged ({problem}) and is kept as {path}; {saved} dispatches were saved, {lost} were not"},
	NoticeLimit:       {"{reason}; what was asked of the role {role} waits until then and goes on by itself"},
	NoticeBudget:      {"{percent} % of today's budget is used: {used}; what comes beyond it waits until midnight"},
	NoticeLarge:       {"{role} reads about {estimate} for a question in {file}"},
	NoticeRole:        {"{problem}"},
	NoticeUnwatched:   {"{vault} is not watched: {reason}"},
	NoticeEngines:     {"{vault} is answered by another engine too, on {machines}, so each question may be answered twice: set wiki.owner to the machine that answers"},
	NoticeEnginesHere: {"{vault} is answered by another engine of this machine too, such as one in WSL or with a state folder of its own, so each question may be answered twice: end one of them"},
	NoticeUnread:      {"notes of {vault} wait to be looked at again: {error}"},
	NoticeWordsOnly:   {"notes are found by their words only: {error}"},
	NoticeUnknown:     {"{count} unfinished dispatch is of a vault that is not configured now; it goes on when that is again", "{count} unfinished dispatches are of vaults that are not configured now; they go on when these are again"},
	NoticeInterrupted: {"an interrupted write left a file that may hold words of yours: {file}"},
	NoticeBothKept:    {"{file} was saved while its answer was written; the other version is kept as {copy}"},
	NoticeUndo:        {"the answer of {dispatch} in {file} could not be undone: {reason}"},
	NoticeIndex:       {"the index of {vault} is kept in {folder} until the engine ends, because its folder cannot be used: {error}"},
	NoticeStarter:     {"{text}"},
	NoticeUnused:      {"{text}"},
	NoticePrivate:     {"{count} question of {vault} in {file} is not taken up: {reason}", "{count} questions of {vault} in {file} are not taken up: {reason}"},
	NoticeUntaken:     {"{count} line of {vault} in {file} is not taken up: line {line}: {reason}", "{count} lines of {vault} in {file} are not taken up, the first is line {line}: {reason}"},
	NoticeSound:       {"{file} of {vault} is not read aloud: {error}; asking for it again tries it at once, and so does the next start of the engine"},
	NoticeWebhook:     {"wiki.webhook.url gets no messages: {error}"},
	NoticeDeaf:        {"replies over wiki.webhook.replyTopic do not arrive: {error}"},
	NoticeReplies:     {"{count} reply over wiki.webhook.replyTopic did nothing: {error}", "{count} replies over wiki.webhook.replyTopic did nothing: {error}"},
	NoticePeers:       {"The user behind a request cannot be told here, so other users of this machine may ask for scans and the status."},
}

// NewNotice returns a notice of a code. The arguments are names and values in turn.
// Its ID depends on all of them but a count, a line and an error.
func NewNotice(code string, args ...any) Notice {
	n := Notice{Code: code, Args: make(map[string]string, len(args)/2)}
	for i := 0; i+1 < len(args); i += 2 {
		n.Args[fmt.Sprint(args[i])] = fmt.Sprint(args[i+1])
	}
	text := noticeTexts[code]
	n.Text = text[0]
	if count := n.Args["count"]; text[1] != "" && count != "1" {
		n.Text = text[1]
	}
	identity := fnv.New32a()
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(n.Args)) {
		pairs = append(pairs, "{"+name+"}", n.Args[name])
		if name != "count" && name != "error" && name != "line" {
			fmt.Fprintf(identity, "%s=%q ", name, n.Args[name])
		}
	}
	n.Text = strings.NewReplacer(pairs...).Replace(n.Text)
	n.ID = fmt.Sprintf("%s-%08x", code, identity.Sum32())
	return n
}
