package order

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// parseParts reads an order without its [Order.Prose].
func parseParts(text string) Order {
	o := Parse(text)
	o.Prose = ""
	return o
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Order{
		"briefing of [[Espresso]]":                           {Kind: "briefing", Sources: []Source{{Note: "Espresso"}}},
		"为 Zh/ 制作卡片":                                         {Kind: "cards", Sources: []Source{{Folder: "Zh"}}},
		"[[Podcast plans]]":                                  {Sources: []Source{{Note: "Podcast plans"}}},
		"a podcast of [[Espresso]]":                          {Kind: "audio", Sources: []Source{{Note: "Espresso"}}},
		"briefing for the podcast":                           {Kind: "briefing"},
		"Study guide about roasting, length: short":          {Kind: "study-guide", Words: 120, Topic: "roasting"},
		"make flashcards from #coffee/light":                 {Kind: "cards", Sources: []Source{{Tag: "coffee/light"}}},
		"comparison table of Coffees/ and Recipes/Sweet/":    {Kind: "table", Sources: []Source{{Folder: "Coffees"}, {Folder: "Recipes/Sweet"}}},
		`timeline of "Old Meetings/"`:                        {Kind: "timeline", Sources: []Source{{Folder: "Old Meetings"}}},
		"kind: quiz the briefing of [[A#B#C|x]]":             {Kind: "quiz", Sources: []Source{{Note: "A", Heading: "C"}}},
		"kind:poem of [[A]]":                                 {Unknown: "poem", Sources: []Source{{Note: "A"}}},
		"summarise [[A]] and [[a]] and [[A]]":                {Kind: "briefing", Sources: []Source{{Note: "A"}, {Note: "a"}}},
		"brief lang: de for: children voices: 2":             {Kind: "briefing", AgentOptions: []string{"lang", "for", "voices"}, Lang: "de", Reader: "children", Voices: []string{"2"}},
		"cards from: \"#coffee, Projects/, [Plan]#Why\" ":    {Kind: "cards", Sources: []Source{{Tag: "coffee"}, {Folder: "Projects"}, {Note: "[Plan]", Heading: "Why"}}},
		`slides from: "Old Meetings/, #coffee" for: staff`:   {Kind: "slides", Sources: []Source{{Folder: "Old Meetings"}, {Tag: "coffee"}}, AgentOptions: []string{"for"}, Reader: "staff"},
		`slides from: “A/Old Notes/,B/, [[C]], D#E”`:         {Kind: "slides", Sources: []Source{{Note: "C"}, {Folder: "A/Old Notes"}, {Folder: "B"}, {Note: "D", Heading: "E"}}},
		`slides from: "Old Meetings/" and "New Meetings/"`:   {Kind: "slides", Sources: []Source{{Folder: "Old Meetings"}, {Folder: "New Meetings"}}},
		"report length: 5min from: Projects":                 {Kind: "briefing", Words: 750, Sources: []Source{{Note: "Projects"}}},
		`briefing of [[A]] lang: "de/at/" for: "our staff/"`: {Kind: "briefing", Sources: []Source{{Note: "A"}}, AgentOptions: []string{"lang", "for"}, Lang: "de/at/", Reader: "our staff/"},
		"briefing of B/ lang:de/":                            {Kind: "briefing", Sources: []Source{{Folder: "B"}}, AgentOptions: []string{"lang"}, Lang: "de/"},
		`brief for: Projects/`:                               {Kind: "briefing", Sources: []Source{{Folder: "Projects"}}},
		"mindmap of this note":                               {Kind: "mind-map"},
		"questions and answers on issue #12":                 {Kind: "faq", Topic: "issue #12"},
		"what is in the briefcase?":                          {Topic: "briefcase"},
		"kind: mind map of [[A]]":                            {Kind: "mind-map", Sources: []Source{{Note: "A"}}},
		"[[A]] kind: study guide, length: 200 words":         {Kind: "study-guide", Words: 200, Sources: []Source{{Note: "A"}}},
		"kind: Reading List length: 5 min for: staff":        {Kind: "reading-list", Words: 750, AgentOptions: []string{"for"}, Reader: "staff"},
		"kind: Q&A of [[A]]":                                 {Kind: "faq", Sources: []Source{{Note: "A"}}},
		"kind: study of [[A]]":                               {Unknown: "study", Sources: []Source{{Note: "A"}}},
		"briefing length: 3 minutes":                         {Kind: "briefing", Words: 450},
		"briefing of [[A]] length: huge":                     {Kind: "briefing", Length: "huge", Sources: []Source{{Note: "A"}}},
		"briefing of [[A]] length: 1000000":                  {Kind: "briefing", Length: "1000000", Sources: []Source{{Note: "A"}}},
		"briefing of [[A]] length: 0":                        {Kind: "briefing", Length: "0", Sources: []Source{{Note: "A"}}},
		"briefing of [[A]] for: “new staff”":                 {Kind: "briefing", AgentOptions: []string{"for"}, Reader: "new staff", Sources: []Source{{Note: "A"}}},
		"briefing of [[A]] for: new staff":                   {Kind: "briefing", AgentOptions: []string{"for"}, Reader: "new staff", Sources: []Source{{Note: "A"}}},
		"for: new staff briefing of [[A]]":                   {Kind: "briefing", AgentOptions: []string{"for"}, Reader: "new staff", Sources: []Source{{Note: "A"}}},
		"for: our new staff, briefing of [[A]]":              {Kind: "briefing", AgentOptions: []string{"for"}, Reader: "our new staff", Sources: []Source{{Note: "A"}}},
		"for: school children a study guide about tea":       {Kind: "study-guide", AgentOptions: []string{"for"}, Reader: "school children", Topic: "tea"},
		"quiz for: new staff lang: de of [[A]]":              {Kind: "quiz", AgentOptions: []string{"lang", "for"}, Lang: "de", Reader: "new staff", Sources: []Source{{Note: "A"}}},
		"quiz for: staff [[A]] tea":                          {Kind: "quiz", AgentOptions: []string{"for"}, Reader: "staff", Topic: "tea", Rest: "tea", Sources: []Source{{Note: "A"}}},
		"quiz for: children about tea":                       {Kind: "quiz", AgentOptions: []string{"for"}, Reader: "children", Topic: "tea"},
		"quiz for: new staff from #tea":                      {Kind: "quiz", AgentOptions: []string{"for"}, Reader: "new staff", Sources: []Source{{Tag: "tea"}}},
		"quiz for: a b c d e f":                              {Kind: "quiz", AgentOptions: []string{"for"}, Reader: "a", Topic: "b c d e f"},
		"summarise [[A]] as slides":                          {Kind: "slides", Sources: []Source{{Note: "A"}}},
		"turn the summary of [[A]] into a mind map":          {Kind: "mind-map", Sources: []Source{{Note: "A"}}},
		"a brief quiz about tea":                             {Kind: "quiz", Topic: "tea"},
		"brief audio overview of [[A]]":                      {Kind: "audio", Sources: []Source{{Note: "A"}}},
		"report as of May":                                   {Kind: "briefing", Topic: "May"},
		"briefing of [Espresso](Odd%20Notes/Espresso.md)":    {Kind: "briefing", Sources: []Source{{Note: "Odd Notes/Espresso"}}},
		"quiz of [it](<../A b.md#What is it>)":               {Kind: "quiz", Sources: []Source{{Note: "../A b", Heading: "What is it"}}},
		"quiz of [it](https://example.org/x.md)":             {Kind: "quiz", Topic: "[ ](https://example.org/x.md"},
		"briefing of [[A]], length: short.":                  {Kind: "briefing", Words: 120, Sources: []Source{{Note: "A"}}},
		"briefing of [[A]] length: 5min?":                    {Kind: "briefing", Words: 750, Sources: []Source{{Note: "A"}}},
		"kind: poem. length: .":                              {Unknown: "poem", Length: "."},
		`quiz about tea lang: de. voices: Kim! for: "all."`:  {Kind: "quiz", Topic: "tea", Lang: "de", Voices: []string{"Kim"}, Reader: "all.", AgentOptions: []string{"lang", "for", "voices"}},
		"quiz and flashcards of [[A]]":                       {Kind: "quiz", Second: "cards", Sources: []Source{{Note: "A"}}},
		"make slides, and a quiz about tea":                  {Kind: "slides", Second: "quiz", Topic: "tea"},
		"a briefing & video of [[A]]":                        {Kind: "briefing", Second: "video", Topic: "video", Sources: []Source{{Note: "A"}}},
		"summary and report of [[A]]":                        {Kind: "briefing", Sources: []Source{{Note: "A"}}},
		"questions and answers about cards and slides":       {Kind: "faq", Topic: "cards slides"},
		"briefing about flashcards":                          {Kind: "briefing", Topic: "flashcards"},
		"slides about the presentation of data":              {Kind: "slides", Topic: "presentation data"},
		"a note about tea as slides":                         {Kind: "slides", Topic: "tea"},
		"audio script of [[A]]":                              {Kind: "audio", Sources: []Source{{Note: "A"}}},
		"Zusammenfassung über Karteikarten":                  {Kind: "briefing", Topic: "Karteikarten"},
		"kind: quiz slides and cards":                        {Kind: "quiz"},
		"quiz from: Projects.":                               {Kind: "quiz", Sources: []Source{{Note: "Projects"}}},
		"":                                                   {},
	} {
		if got := parseParts(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v, want\n%+v", text, got, want)
		}
	}
}

// A line is read in the languages of the notes; what is none of ours, or left over, is told from what is.
func TestParseLanguages(t *testing.T) {
	note, folder := []Source{{Note: "Tee"}}, []Source{{Folder: "Tee"}}
	for text, want := range map[string]Order{
		"Zusammenfassung von [[Tee]], Länge: kurz":        {Kind: "briefing", Words: 120, Sources: note},
		"Mach mir bitte Karteikarten aus Tee/":            {Kind: "cards", Sources: folder},
		"Erstelle Folien über den Garten":                 {Kind: "slides", Topic: "Garten"},
		"Zeitleiste von [[Tee]]":                          {Kind: "timeline", Sources: note},
		"Quiz über [[Tee]] und verwandte Notizen":         {Kind: "quiz", Sources: note, Related: true},
		"Art: Mindmap, Sprache: de, für: Kinder [[Tee]]":  {Kind: "mind-map", Lang: "de", Reader: "Kinder", AgentOptions: []string{"lang", "for"}, Sources: note},
		"Präsentation von [[Tee]] Länge: 5 Minuten":       {Kind: "slides", Words: 750, Sources: note},
		"Übersetze [[Tee]] ins Englische":                 {Foreign: "Übersetze", Topic: "Übersetze ins Englische", Rest: "Übersetze ins Englische", Sources: note},
		"Schreibe ein Gedicht über [[Tee]]":               {Foreign: "Gedicht", Topic: "Gedicht", Rest: "Gedicht", Sources: note},
		"résumé de [[Tee]]":                               {Kind: "briefing", Sources: note},
		"Fais-moi un glossaire sur le jardin":             {Kind: "glossary", Topic: "jardin"},
		"Fais un quiz sur le jardin":                      {Kind: "quiz", Topic: "jardin"},
		"frise chronologique de [[Tee]] longueur : court": {Kind: "timeline", Words: 120, Sources: note},
		"Traduis [[Tee]] en anglais":                      {Foreign: "Traduis", Topic: "Traduis anglais", Rest: "Traduis anglais", Sources: note},
		"haz un resumen de [[Tee]] longitud: corto":       {Kind: "briefing", Words: 120, Sources: note},
		"tarjetas sobre el jardín":                        {Kind: "cards", Topic: "jardín"},
		"línea de tiempo de Tee/":                         {Kind: "timeline", Sources: folder},
		"traduce [[Tee]] al inglés":                       {Foreign: "traduce", Topic: "traduce inglés", Rest: "traduce inglés", Sources: note},
		"请给我做一份[[Tee]]的测验":                                {Kind: "quiz", Sources: note},
		"关于做饭的思维导图":                                       {Kind: "mind-map", Topic: "做饭"},
		"[[Tee]]的总结，长度：短":                                 {Kind: "briefing", Words: 120, Sources: note},
		"翻译[[Tee]]":                                       {Foreign: "翻译", Topic: "翻译", Rest: "翻译", Sources: note},
		"把[[Tee]]翻译成英文":                                   {Foreign: "翻译", Topic: "翻译成英文", Rest: "翻译成英文", Sources: note},
		"[[Tee]]のクイズを作ってください":                             {Kind: "quiz", Sources: note},
		"庭についてのスライドを作って":                                  {Kind: "slides", Topic: "庭"},
		"[[Tee]]を要約して、長さ：短い":                              {Kind: "briefing", Words: 120, Sources: note},
		"[[Tee]]を英語に翻訳して":                                 {Foreign: "翻訳", Topic: "英語に翻訳", Rest: "英語に翻訳", Sources: note},

		"translate [[Tee]] into German":              {Foreign: "translate", Topic: "translate German", Rest: "translate German", Sources: note},
		"translate the summary of [[Tee]]":           {Kind: "briefing", Foreign: "translate", Topic: "translate", Rest: "translate", Sources: note},
		"please write a haiku about tea":             {Foreign: "haiku", Topic: "tea", Rest: "haiku"},
		"tiktok of [[Tee]]":                          {Foreign: "tiktok", Topic: "tiktok", Rest: "tiktok", Sources: note},
		"limerick of [[Tee]]":                        {Foreign: "limerick", Topic: "limerick", Rest: "limerick", Sources: note},
		"write an email to Bob":                      {Foreign: "email", Topic: "email Bob"},
		"briefing of [[Tee]] by Friday":              {Kind: "briefing", Topic: "by Friday", Rest: "by Friday", Sources: note},
		"[[Tee]] in French":                          {Topic: "French", Rest: "French", Sources: note},
		"a funny quiz about tea":                     {Kind: "quiz", Topic: "tea", Rest: "funny"},
		"briefing of [[Tee]] and related notes":      {Kind: "briefing", Sources: note, Related: true},
		"espresso grinders":                          {Topic: "espresso grinders"},
		"what do my notes say about tea?":            {Topic: "tea"},
		"slides about die casting":                   {Kind: "slides", Topic: "die casting"},
		"timeline of the email [[Tee]]":              {Kind: "timeline", Topic: "email", Rest: "email", Sources: note},
		"make me a deck about the cost of a garden?": {Kind: "slides", Topic: "cost garden"},
	} {
		if got := parseParts(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v, want\n%+v", text, got, want)
		}
	}
}

// A length may be said in prose beside what is made or at the end, and all notes may be asked for; the same words in a subject
// are the subject's.
func TestParseProse(t *testing.T) {
	note, all, here := []Source{{Note: "Tee"}}, []Source{{Folder: AllNotes}}, []Source{{Folder: ThisFolder}}
	for text, want := range map[string]Order{
		"a podcast about evergreen notes, 2 minutes":    {Kind: "audio", Words: 300, Topic: "evergreen"},
		"a 5-minute podcast about tea":                  {Kind: "audio", Words: 750, Topic: "tea"},
		"summary of [[Tee]] in 100 words, please":       {Kind: "briefing", Words: 100, Sources: note},
		"Zusammenfassung von [[Tee]] in 100 Wörtern":    {Kind: "briefing", Words: 100, Sources: note},
		"mach eine kurze Zusammenfassung von [[Tee]]":   {Kind: "briefing", Words: 120, Sources: note},
		"fais-moi un résumé court de la note [[Tee]]":   {Kind: "briefing", Words: 120, Sources: note},
		"un resumen de 200 palabras sobre el jardín":    {Kind: "briefing", Words: 200, Topic: "jardín"},
		"[[Tee]] を5分のポッドキャストにして":                        {Kind: "audio", Words: 750, Sources: note},
		"请把 [[Tee]] 做成简短的幻灯片":                           {Kind: "slides", Words: 120, Sources: note},
		"study guide on block references, detailed":     {Kind: "study-guide", Words: 800, Topic: "block references"},
		"briefing of [[Tee]], length: long, in 3 words": {Kind: "briefing", Words: 800, Topic: "3 words", Rest: "3 words", Sources: note},
		"slides about short stories":                    {Kind: "slides", Topic: "short stories"},
		"slides about the 5 minute rule":                {Kind: "slides", Topic: "5 minute rule"},
		"120 cards of [[Tee]]":                          {Kind: "cards", Topic: "120", Rest: "120", Sources: note},
		"what's new in the changelogs? timeline please": {Kind: "timeline", Topic: "changelogs"},
		"glossary of all my notes":                      {Kind: "glossary", Sources: all},
		"summarize this vault":                          {Kind: "briefing", Sources: all},
		"Zusammenfassung aller Notizen":                 {Kind: "briefing", Sources: all},
		"résumé de toutes mes notes":                    {Kind: "briefing", Sources: all},
		"briefing of [[All my notes]]":                  {Kind: "briefing", Sources: []Source{{Note: "All my notes"}}},
		"quiz of all my notes about tea":                {Kind: "quiz", Topic: "tea"},
		"cards of all notes in [[Tee]]":                 {Kind: "cards", Sources: note},
		"briefing de toutes mes notes":                  {Kind: "briefing", Sources: all},
		"slides of this folder":                         {Kind: "slides", Sources: here},
		"slides of the folder":                          {Kind: "slides", Sources: here},
		"Folien des Ordners":                            {Kind: "slides", Sources: here},
		"diapositives du dossier":                       {Kind: "slides", Sources: here},
		"文件夹的幻灯片":                                       {Kind: "slides", Sources: here},
		"slides of the folder Tea":                      {Kind: "slides", Topic: "Tea"},
		"slides of the folder Tea/":                     {Kind: "slides", Sources: []Source{{Folder: "Tea"}}},
		"turn this folder into slides, please":          {Kind: "slides", Sources: here},
		"quiz of all the notes in this folder":          {Kind: "quiz", Sources: here},
		"briefing of this folder's notes":               {Kind: "briefing", Sources: here},
		"Folien aus diesem Ordner":                      {Kind: "slides", Sources: here},
		"Zusammenfassung dieses Ordners":                {Kind: "briefing", Sources: here},
		"diapositives de ce dossier":                    {Kind: "slides", Sources: here},
		"diapositivas de esta carpeta":                  {Kind: "slides", Sources: here},
		"制作这个文件夹的幻灯片":                                   {Kind: "slides", Sources: here},
		"このフォルダからスライドを作って":                              {Kind: "slides", Sources: here},
		"briefing of [[this folder]]":                   {Kind: "briefing", Sources: []Source{{Note: "this folder"}}},
		"translate this folder":                         {Topic: "translate", Rest: "translate", Foreign: "translate", Sources: here},
		"briefing about tea in this folder":             {Kind: "briefing", Topic: "tea", Rest: "tea", Sources: here},
		"briefing of [[Tee]] length: 5 pages":           {Kind: "briefing", Sources: note, Length: "5 pages"},
		"Zusammenfassung von [[Tee]] auf 2 Seiten":      {Kind: "briefing", Sources: note, Length: "2 Seiten"},
		"résumé de [[Tee]] en 3 phrases":                {Kind: "briefing", Sources: note, Length: "3 phrases"},
	} {
		if got := parseParts(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%+v, want\n%+v", text, got, want)
		}
	}
}

// Whatever is asked, it is read, and nothing comes out that did not stand there.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"briefing of [[../../etc/passwd]]", "kind: [[x]] #a #b/ ../c/ length:99999999999", "[[[[a]]]]#|", "İ mind map ẞ quiz", "\xb0 quiZ", "kind: mind map [a](b%0a.md) length: 5 min", "for: “x”"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := Parse(text)
		if o.Words < 0 || o.Words > 10_000*wordsPerMinute {
			t.Errorf("%d words", o.Words)
		}
		for _, s := range o.Sources {
			if s == (Source{}) || strings.ContainsAny(s.Note+s.Tag+s.Folder, "\n") {
				t.Errorf("%q", s)
			}
		}
		if utf8.ValidString(text) && !utf8.ValidString(o.Topic) {
			t.Errorf("the topic %q is cut within a letter", o.Topic)
		}
	})
}
