package builtin

import (
	"vaultdispatcher/engine/lazyregexp"
	"vaultdispatcher/engine/recall/terms"
)

// Words that say which notes are meant, and not what of them.
var (
	wholeVault = lazyregexp.New(`(?i)\b(in|of|from|across)? ?(the |my |this |our )?((whole|entire) (vault|notes)|all (of )?(my |our |the )?notes)\b|\b(im|aus dem|des)? ?(ganzen?|gesamten) (vaults?|notizen)|(de |dans )?(tout le coffre|toutes (mes|les) notes)`)
	thisNote   = lazyregexp.New(`(?i)\b(in|of|from) (this|the present) note\b|\bthis note\b|\b(in )?diese[rn]? notiz\b|\b(dans |de )?cette note\b`)
)

// readScope takes the words that say which notes are meant out of a question, and reports whether only the note that
// asks is. refusal says why a question that names other notes is not answered.
func readScope(question string) (query string, isThisNote bool, refusal string) {
	if terms.IsOfTime(question) {
		return "", false, "**Notes of a time cannot be chosen here.** The Miner looks for words in the whole vault: name what the notes are about, or ask a role with an agent."
	}
	query = wholeVault().ReplaceAllString(question, " ")
	if query != question && len(terms.SearchWords(query)) == 0 {
		return "", false, "**The whole vault is searched for words, and the question names none.** Name what you look for; `> @agent-Broadcaster` makes a briefing."
	}
	return query, thisNote().MatchString(query) && len(terms.SearchWords(query)) > 0, ""
}
