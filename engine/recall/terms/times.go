package terms

// The words for a time that notes are of, in three languages.
const (
	englishTime = `(?:yesterday|today|(?:the )?(?:last|past|this|previous) (?:few )?(?:days?|weeks?|months?|years?))`
	germanTime  = `(?:gestern|heute|letzte[rnsm]? (?:tagen?|wochen?|monate?n?|monats|jahre?n?|jahres)|diese[rsmn]? (?:woche|monats?|jahr(?:es)?))`
	frenchTime  = `(?:hier|aujourd['’]hui|(?:cette|la) (?:semaine|année)(?: dernière| passée)?|(?:ce|le) mois(?: dernier| passé)?)`
)

// ofTime says that notes are meant by when they were written.
var ofTime = expression(`(?i)\b` + englishTime + `(?:['’]s?)? (?:notes|entries)\b|\b(?:notes|entries) (?:of|from) ` + englishTime + `\b` +
	`|\b(?:my|the|our|most) (?:recent|latest|newest) (?:notes|entries)\b|(?:^|\bof |\bin )(?:recent|latest|newest) (?:notes|entries)\b` +
	`|\bwhat (?:did|have) (?:i|we) (?:write|written|note|noted|jot|jotted)(?: down)? ` + englishTime + `\b` +
	`|\b(?:notizen|einträgen?) (?:(?:von|aus) (?:der |dem |den )?` + germanTime + `|de[rs] (?:letzten|vergangenen) (?:woche|tage|monats|jahres))` +
	`|\b(?:neuesten?|letzten|jüngsten) (?:notizen|einträgen?)\b` +
	`|\b(?:habe ich|haben wir) ` + germanTime + ` (?:auf|nieder)?ge(?:schrieben|notiert)|\b(?:habe ich|haben wir) ` + germanTime + ` notiert\b` +
	`|\bnotes (?:d['’]|de |du )(?:hier|aujourd['’]hui|(?:cette|la) semaine|(?:cette|l['’])année|(?:ce )?mois (?:dernier|passé)|ce mois)|\b(?:dernières|récentes) notes\b|\bnotes récentes\b` +
	`|\b(?:ai|avons|a)[- ](?:je |nous )?(?:écrit|noté) ` + frenchTime)

// IsOfTime reports whether a text means notes by when they were written, as "last week's notes" does.
func IsOfTime(text string) bool { return ofTime().MatchString(text) }
