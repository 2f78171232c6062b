package terms

import (
	"database/sql"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // has the stemmer to compare with
)

func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		"The backups, and backing up!":     "backup back",
		"Über Größe, Straße, naïve café":   "gross strass naiv cafe",
		"u\u0308ber\u0301maßen":            "ubermassen",
		"don't can't the user's":           "user",
		"東京都":                              "東京 京都 都",
		"バックアップの設定":                        "バッ ック クア アッ ップ プ の 設定 定",
		"ภาษา":                             "ภา าษ ษา า",
		"हिन्दी में":                       "हिन्दी में",
		"v1.2 2024-01-05 x_y":              "v1 2 2024 01 05 x y",
		"\xff\xfebad\xc3 utf8":             "bad utf8",
		strings.Repeat("a", maxWord+1):     "",
		"Привет ёлка ἀγορά Αθήνα":          "привет елка ἀγορα αθηνα",
		"ДОМ дом":                          "дом дом",
		"running runner ran easily relate": "run runner ran easili relat",
	} {
		if got := strings.TrimSpace(string(appendIndexed(nil, in))); got != want {
			t.Errorf("%q: tokens %q, want %q", in, got, want)
		}
	}
	if got := IndexedName("The Who"); got != "the who" {
		t.Errorf("a name of stop words is %q", got)
	}
}

// SQLite has the same stemmer inside; the two have to agree on every word.
func TestStemAgreesWithSQLite(t *testing.T) {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "stem.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, q := range []string{
		"CREATE VIRTUAL TABLE s USING fts5(w, tokenize='porter unicode61')",
		"CREATE VIRTUAL TABLE v USING fts5vocab(s, 'instance')", "BEGIN",
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	words := inflectedWords(rand.New(rand.NewPCG(7, 7)), 20000)
	for i, w := range words {
		if _, err := db.Exec("INSERT INTO s(rowid, w) VALUES(?, ?)", i+1, w); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := db.Query("SELECT doc, term FROM v")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n, differ := 0, 0
	for rows.Next() {
		var doc int
		var term string
		if err := rows.Scan(&doc, &term); err != nil {
			t.Fatal(err)
		}
		n++
		if got := string(stemWord([]byte(words[doc-1]))); got != term {
			if differ++; differ < 20 {
				t.Errorf("stem(%q) = %q, SQLite says %q", words[doc-1], got, term)
			}
		}
	}
	if err := rows.Err(); err != nil || n != len(words) {
		t.Fatalf("compared %d of %d words: %v", n, len(words), err)
	}
}

// inflectedWords makes words out of syllables and the endings the stemmer knows.
func inflectedWords(r *rand.Rand, n int) []string {
	starts := strings.Fields("b br c ch cr d f fl g gl h j k l m n p pl qu r s sh sl st t tr v w y z a e i o u rel oper hop sky gener")
	vowels := strings.Fields("a e i o u y ai ea oo")
	ends := strings.Fields("b d f g l ll m n p r s ss t tt x z zz at bl iz")
	tails := []string{"", "s", "es", "ies", "sses", "ed", "eed", "ing", "ly", "er", "y", "e", "ation", "ational", "izer", "alize", "fulness",
		"iveness", "icate", "ical", "ness", "ment", "ement", "ent", "ion", "sion", "tion", "able", "ible", "ance", "logi", "bility", "ousli", "ate", "ive", "ize", "ous", "ism"}
	words := strings.Fields("as is was sky skies dying lying ties caresses ponies agreed plastered bled motoring sing conflated troubled sized hopping tanned falling hissing fizzed failing filing happy relational conditional rational valency hesitancy digitizer conformably radically differently vilely analogously vietnamization predication operator feudalism decisiveness hopefulness callousness formality sensitivity sensibility triplicate formative formalize electricity electrical hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption homologou communism activate angularity homologous effective bowdlerize probate rate cease controll roll archaeology")
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	for len(words) < n {
		w := pick(starts) + pick(vowels) + pick(ends)
		if r.IntN(2) == 0 {
			w += pick(vowels) + pick(ends)
		}
		words = append(words, w+pick(tails))
	}
	return words
}

func TestQueryTerms(t *testing.T) {
	for in, want := range map[string][]string{
		"what did we decide about backups?":       {"decide", "backups"},
		"please find my notes about the Budget":   {"Budget"},
		"notes":                                   {"notes"},
		"the who":                                 {"the", "who"},
		"Was haben wir über Backups entschieden?": {"Backups", "entschieden"},
		"backup backups":                          {"backup"},
		"バックアップについて":                              {"バッ", "ック", "クア", "アッ", "ップ"},
		"猫":                                       {"猫"},
		"?!":                                      nil,
	} {
		var got []string
		for _, term := range Parse(in).Terms {
			got = append(got, term.Word)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: terms %q, want %q", in, got, want)
		}
	}
	if q := Parse("why did we agree?"); !q.AsksDecision || !q.AsksReason {
		t.Error("a question about a decision and its reason is not seen as one")
	}
	if got := SearchWords("summarise this"); len(got) != 0 {
		t.Errorf("summarise this names %q", got)
	}
	if got := Parse("東京都の予算").MissingWords(0); !slices.Equal(got, []string{"東京都", "予算"}) {
		t.Errorf("pairs are not put together again: %q", got)
	}
	long := Parse(strings.Join(inflectedWords(rand.New(rand.NewPCG(1, 1)), 500), " "))
	if len(long.Terms) != maxTerms {
		t.Errorf("a long query has %d terms", len(long.Terms))
	}
}

func TestElision(t *testing.T) {
	for query, want := range map[string]string{
		"qu'est-ce que l'été": "été", "L’ordinateur d'Anne": "ordinateur Anne", "l d": "l",
		"the C compiler": "C compiler",
	} {
		if got := strings.Join(SearchWords(query), " "); got != want {
			t.Errorf("%q is searched by %q, want %q", query, got, want)
		}
	}
}

func TestWhyNothing(t *testing.T) {
	if got := WhyNothing("The", 0); len(got) != 1 || !strings.Contains(got[0], "“The”") {
		t.Errorf("of a stop word: %q", got)
	}
	if got := append(append(WhyNothing("heron", 0), WhyNothing("the", 1)...), WhyNothing("", 0)...); len(got) > 0 {
		t.Errorf("of others: %q", got)
	}
}

// What was looked for is a word, a pair of characters or one character, and not the clause that it stands in.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ query, text, want string }{
		{"backups", "Old backups, a Backup.", "Old [backups], a [Backup]."},
		{"用户", "新用户登录，用户。", "新[用户]登录，[用户]。"},
		{"用户登录", "新用户登录了", "新[用户登录]了"},
		{"火", "坐火车去火", "坐[火]车去[火]"},
		{"東京タワー", "昨日東京タワーに登った", "昨日[東京タワー]に登った"},
		{"iPhone 手机", "我的iPhone很好，手机", "我的[iPhone]很好，[手机]"},
		{"heron", "nothing", "nothing"},
	} {
		got, done := "", 0
		for _, at := range Parse(c.query).Places(c.text) {
			got, done = got+c.text[done:at[0]]+"["+c.text[at[0]:at[1]]+"]", at[1]
		}
		if got += c.text[done:]; got != c.want {
			t.Errorf("%q in %q: %q", c.query, c.text, got)
		}
	}
}

// A word of a German or French question that no text has is found by those of its root, and is never had for sure.
func TestOtherForms(t *testing.T) {
	for _, row := range []struct{ question, word, known string }{
		{"Wie viele Skizzen soll man skizzieren?", "skizzieren", "skizzierung"},
		{"Welche Regeln geben wir den Journalisten?", "Journalisten", "journalist"},
		{"Comment annoter pour les entreprises ?", "annoter", "annotation"},
		{"What did the founder say?", "founder", ""},
	} {
		q := Parse(row.question)
		for i := range q.Terms {
			q.Terms[i].Weigh(1, 1)
			if q.Terms[i].Word == row.word {
				q.Part(i, func(form string) bool { return form == stem(row.known) || form == "found" })
			}
		}
		if got := q.Mask(row.known) != 0; got != (row.known != "") || got && q.HasWeightiest(1<<len(q.Terms)-1) {
			t.Errorf("%s: %q is %v in %q", row.question, row.word, got, row.known)
		}
	}
}
