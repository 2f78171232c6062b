package terms

// whereActs matches how a question begins that asks where something is done, up to the word for that, and one that asks where
// something is kept.
var whereActs = expression(`(?i)^\W*(?:where (?:to|(?:do|does|did|can|could|should|shall|must|may|will|would) (?:(?:the|an?|my|our|your|all) )*[\pL'’]+) (\pL+)|` +
	`where(?:['’]s| is| are| was| were) .* (\pL+ed|born|bought|built|done|found|held|hidden|hung|kept|laid|made|put|sold|written)\W*$|` +
	`wo (\pL+) (?:ich|man|wir|du|ihr|der|die|das|mein\pL*|unser\pL*)\b|wo (?:kann|können|muss|müssen|soll|sollte|darf|werden|wird|sind|ist) .* (\pL+)\W*$|` +
	`où (?:(?:puis-je|peut-on|dois-je|doit-on|faut-il) )?(\pL+(?:er|ir|re))\b|où (\pL+)(?:-t-(?:on|il|elle)|-on| (?:les?|la|mon|ma|mes|notre|nos)) )`)

// keptActs ask no more than where a thing is.
var keptActs = Set("keep kept put find found have store stored hide hidden leave locate located finde findet finden lagere lagern ranger trouver")

// aPath matches where a file is.
var aPath = expression("(?:^|[\\s`\"'(])(?:~|[A-Za-z]:)?[/\\\\][\\w.~-]+[/\\\\]")

var (
	// Words before a place, and in questions that are not in English others beside them.
	placeWords = Set("in at on inside behind under underneath below beneath above beside near between by into onto")
	platzWords = Set("im am an auf hinter unter neben bei beim zwischen dans sous sur derriere chez au aux en sobre bajo")
	// With such a word behind them they say when, or how.
	noPlaces = Set(`name names way ways case cases form order mind words detail parts nom cas sorte namen fall form worten spring summer autumn winter morning afternoon evening night time general fact monday tuesday wednesday thursday friday saturday sunday
		fruhling sommer herbst morgen abend nacht montag dienstag mittwoch donnerstag freitag samstag sonntag ete automne hiver matin soir`)
	stayWords = Set("kept stored located found put hidden lie lies hang hangs hanging stand stands stay stays live lives liegt liegen hangt hangen steht stehen trouve trouvent")
)

// The shapes of a text that says where, in the letters of [Query.shapeOf] and three more: p for a word before a place, w for what is none and f for "of".
var (
	whereShapes = expression(`(?:A[tsbiu]*O|O[tsbiu]*A)(?:f[su]*x)?[tsiu]*p[su]*[^wsu.:]|(?:^|[.:])[su]*p[^.:w]*(?:A[tsbiu]*O|O[tsbiu]*A)`)
	keptShapes  = expression(`(?:^|[.:])[stu]*O(?:f[su]*x)?[tsbiu]*A?[tsiu]*p[su]*[^wsu.:]|A[tsbiu]*O(?:f[su]*x)?[tsiu]*p[su]*[^wsu.:]|` +
		`(?:^|[.:])[su]*p[^.:w]*(?:A[tsbiu]*O|O[tsbiu]*A)|(?:^|\.)[stu]*O:[su]*[^wsu.:]`)
	// Of the object that the names say.
	whereNamed = expression(`(?:^|[.:])[sit]*A[si]*p[su]*[^wsu.:]`)
	keptNamed  = expression(`(?:^|[.:])[sit]*A?[si]*p[su]*[^wsu.:]`)
)

// whereLetter is the letter of a word in the shape for a question that asks where; 0 for those of other shapes.
func whereLetter(language, word string) byte {
	switch {
	case placeWords[word], language != "en" && platzWords[word]:
		return 'p'
	case noPlaces[word], months[word], word[0] >= '0' && word[0] <= '9':
		return 'w'
	case word == "of", word == "von":
		return 'f'
	case stayWords[word]:
		return 's'
	}
	return 0
}
