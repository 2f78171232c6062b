package terms

import (
	"maps"
	"slices"
	"strings"
)

// stopWords carry no meaning by themselves and are neither indexed nor looked
// for. German ones are here unless they mean something in English.
var stopWords = Set(english + german + `
什么 我们 他们 你们 怎么 为什 这个 那个 哪里 一个 没有 关于
`)

const english = `
a about above after again against all also am an and any are aren as at be because been before being below between
both but by can cannot could couldn d did didn do does doesn doing don down during each either else etc ever every few
for from further had hadn has hasn have haven having he her here hers herself him himself his how however http https i
if in into is isn it its itself just ll m may me might more most must my myself neither no nor not now of off often on
once only or other our ours ourselves out over own quite rather re s same shall shan she should shouldn since so some
such t than that the their theirs them themselves then there these they this those though through thus to too under
until up upon us ve very via was wasn we were weren what when where whether which while who whom whose why will with
within without would wouldn www yet you your yours yourself yourselves
`

const german = `
aber als auch auf aus bei bin bist da damit dann das dass dein deine dem den denn der des dich dies diese diesem diesen
dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer fur gegen habe haben hat
hatte hatten hier ich ihm ihn ihnen ihr ihre im ist ja jede jeder jedes jetzt kann kein keine konnen mein meine mich
mir mit muss nach nicht nichts noch nur ob oder ohne sehr sein seine sich sie sind so soll uber um und uns unser unsere
unter vom von vor wann warum weil welche welcher welches wenn wer werden wie wieder wieso wir wird wo wurde wurden zu
zum zur zwischen
`

// particles part the words of a Chinese question, which its pairs of characters
// would otherwise run across: they ask, or join two words. A character that is
// left alone is looked for by itself.
var particles = strings.NewReplacer("为什么", " ", "什么", " ", "怎么", " ", "怎样", " ", "多少", " ", "哪里", " ", "哪个", " ",
	"的", " ", "吗", " ", "呢", " ", "了", " ")

// foreignWords are small words of French and Spanish, and French ones that address the agent. The index holds them, as most may be words
// of another language, and so does an English query: "del" is a word of Python.
var foreignWords = Set(french + `
al como cual cuales cuando cuanta cuantas cuanto cuantos del donde el ella ellos eran es esta estan este las lo los mi mis muy
nuestra nuestro para pero quien quienes sobre su sus tiene tus una unas uno unos y
cherche dire dis dit explique montre parle resume resumer signifie trouve veut
`)

// askingWords address the agent and do not name the subject. They are left
// out of a query that has other words.
var askingWords = Set(`
answer anything anyone ask describe mine does everything explain know known mention mentioned mentions note notes please
question remind said say says show something summarise summarize summary tell thing things think thought vault
alle alles bedeutet bitte durchsuche erklar erklare fasse finde gib nenn nenne notiz notizen sag sage suche worum zeig zeige zusammen zusammenfassung
whats whos wheres
`)

const french = `
au aux avec ce ces cet cette combien dans de des du elle elles en est et etre eux faut il ils je la le les leur leurs lui
mais mes mon nos notre nous ou par peut pour pourquoi puis qu quand que quel quelle quelles quels qui quoi sa se ses si sont sous
sur ta te tes toi tu un une vaut vos votre vous
`

// leadingWords do the same where a query begins with them. Further on, what is
// to be found or removed is what the question is about.
var leadingWords = Set("comment find get give list look remember remove search write")

// lightWords say next to nothing about a question's subject: every other note has them.
var lightWords = stemSet(`
able add allow back become begin best bring call case change come day different do end enough first follow get give go good great
happen have help important info information keep kind last let like long lot main make many mean much need new next number old one open
order part people place possible put really right run see set several show sort start stop take thing time try turn two use
useful usually various want way well whole work year
alt anderer anfang bekommen bekommt benotigen benotigt besser beste bleiben bleibt brauche brauchen braucht bringen bringt darf durfen drei
eigen eigene einfach erste ersten finden findet ganz geben gebraucht gehen geht gibt gross gut hochstens immer jahr kommen kommt lange
lasst lassen leicht letzte liegt machen macht man mehr meisten mindestens mochte mussen neu neue nehmen nimmt passende passenden sagen
sagt sieht sollen sollte sollten spielt stehen steht tag tun viel viele weiter wollen zeit zwei
`)

// decisionWords ask in a question for what was decided.
var decisionWords = stemSet("decide decided decision agree agreed agreement conclude concluded conclusion chose chosen choose resolve resolved entscheiden entschieden entscheidung beschlossen beschluss")

// statedWords in a note match any of decisionWords: each says that something has been
// decided. Words that may also ask for a decision, such as choose, count only where
// the question has them itself.
var statedWords = Set(`
decided decision decisions agreed agreement agreements concluded conclusion conclusions resolved chose chosen
entschieden entscheidung entscheidungen beschlossen beschluss
`)

var statedStems = stemSet(strings.Join(slices.Sorted(maps.Keys(statedWords)), " "))

// deeds are words that ask who did something, and what properties call that person.
var deeds = []struct {
	asked map[string]bool
	stems []string // stems, in order
}{
	{stemSet("wrote written write authored schrieb geschrieben verfasst ecrit escribio escrito"), slices.Sorted(maps.Keys(stemSet("author authors writer autor autorin autoren verfasser auteur autrice escritor")))},
	{stemSet("direct directed dirigio realise"), slices.Sorted(maps.Keys(stemSet("director directors regie regisseur regisseurin realisateur realisatrice")))},
}

// plainActs do not say what is done to a thing; noActs only look like verbs of an act.
var (
	plainActs = Set("do get go have make put use work mache machen macht nutze benutze verwende faire utiliser hacer")
	noActs    = Set("mean est sont es son war waren kann kannst konnen muss soll ist sind liegt liegen steht stehen hangt hangen gibt bleibt etait etaient")
)

// reasonWords mark a sentence that says why.
var reasonWords = stemSet("because reason rationale cause caused therefore why weil grund deshalb daher parce puisque raison porque razon motivo")

// whyWords make a question one about reasons. They are stop words as well.
var whyWords = Set("why warum wieso weshalb")

func Set(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

func stemSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[string(stemWord([]byte(w)))] = true
	}
	return set
}
