package order

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file has every word that an order is read by, in the languages that notes are searched in. A row is
// `meaning: English | German | French | Spanish | Chinese | Japanese`, the words parted by commas.

// Kinds are the names of what can be made, each with the words that ask for it.
var Kinds = readRows(`
briefing: briefing, brief, summary, summarise, summarize, report, overview | briefing, zusammenfassung, zusammenfassen, fasse, kurzfassung, überblick, bericht | résumé, résume, résumer, synthèse | resumen, resume, resumir, informe | 简报, 摘要, 总结, 總結, 概要, 概述 | 要約, まとめ, 概要, ブリーフィング
study-guide: study guide, study-guide, learning guide | lernzettel, lernhilfe, studienführer | guide d'étude, fiche de révision | guía de estudio | 学习指南, 學習指南 | 学習ガイド
faq: faq, faqs, questions and answers, q&a | faq, fragen und antworten | faq, questions et réponses, foire aux questions | faq, preguntas y respuestas, preguntas frecuentes | 常见问题, 常見問題, 问答, 問答 | よくある質問, 一問一答
timeline: timeline, time line, chronology | zeitleiste, zeitstrahl, chronik, chronologie | chronologie, frise chronologique | línea de tiempo, línea del tiempo, cronología | 时间线, 時間線, 时间轴, 時間軸 | 年表, タイムライン
glossary: glossary, definitions, terms | glossar, begriffe | glossaire, définitions | glosario, definiciones | 词汇表, 詞彙表, 术语表, 術語表 | 用語集
table: comparison table, comparison, compare, table, csv | vergleichstabelle, vergleich, vergleiche, tabelle | tableau comparatif, comparaison, compare, tableau | tabla comparativa, comparación, compara, tabla | 对比表, 對比表, 比较, 比較, 对比, 對比, 表格 | 比較表, 比較
reading-list: reading list, reading-list, bibliography | leseliste, literaturliste | liste de lecture, bibliographie | lista de lectura, bibliografía | 阅读清单, 閱讀清單, 书单, 書單 | 読書リスト
mind-map: mind map, mind-map, mindmap, canvas | mindmap, gedankenkarte | carte mentale, carte heuristique | mapa mental | 思维导图, 思維導圖, 心智圖, 脑图 | マインドマップ
slides: slides, slide deck, slide show, slideshow, presentation, deck | folien, präsentation, foliensatz | diapositives, diapos, présentation, diaporama | diapositivas, presentación | 幻灯片, 幻燈片, 演示文稿 | スライド, プレゼン
cards: flashcards, flash cards, flashcard, cards, anki | karteikarten, lernkarten, karten | cartes mémoire, fiches, flashcards | tarjetas, fichas | 抽认卡, 抽認卡, 记忆卡, 闪卡, 卡片 | 暗記カード, 単語カード, フラッシュカード, カード
quiz: quiz, test me | quiz, abfrage, frag mich ab, teste mich | quiz, interrogation, teste-moi | quiz, cuestionario, ponme a prueba | 测验, 測驗, 小测 | クイズ, 小テスト
audio: audio overview, audio script, audio, podcast, read aloud, mp3, wav | podcast, audio, hörfassung, vorlesen, lies vor | podcast, audio, baladodiffusion, à haute voix | podcast, audio, pódcast, en voz alta | 音频, 音頻, 播客 | 音声, ポッドキャスト
dialogue: dialogue, dialog, conversation | dialog, gespräch | dialogue, conversation | diálogo, conversación | 对话, 對話 | 対話
`)

// Later are the kinds that cannot be made yet, as [Kinds].
var Later = readRows(`
video: video overview, video | erklärvideo | vidéo | vídeo | 视频, 視頻 | 動画
infographic: infographic, poster | infografik | infographie | infografía | 信息图, 資訊圖 | インフォグラフィック
`)

// others begin a line that asks for something that is not made here.
var others = readRows(`
do: translate, rewrite, rephrase, paraphrase, correct, proofread, fix, improve, shorten, expand, continue, format, sort, rename, delete, move, send, answer, explain, draw, paint, compose, code | übersetze, übersetzen, übersetzt, umschreiben, formuliere, korrigiere, verbessere, kürze, erkläre, lösche, sende, zeichne | traduis, traduire, traduisez, réécris, corrige, améliore, raccourcis, explique, dessine | traduce, traducir, traduzca, reescribe, corrige, mejora, acorta, explica, dibuja | 翻译, 翻譯, 改写, 改寫, 润色, 校对, 解释, 解釋 | 翻訳, 書き直, 校正, 説明
make: translation, poem, haiku, song, lyrics, story, essay, article, blog, post, tweet, tiktok, reel, meme, joke, email, e-mail, mail, letter, script, novel | übersetzung, gedicht, lied, geschichte, aufsatz, artikel, witz | traduction, poème, chanson, histoire, lettre, courriel | traducción, poema, canción, historia, carta, correo | 诗, 詩, 歌, 故事, 邮件, 郵件, 文章 | 俳句, 物語, メール, 手紙, 記事
`)

// options are the names of options and of their values, each with its words by language.
var options = readRows(`
kind: kind | art | genre | tipo | 类型, 類型 | 種類
length: length | länge | longueur | longitud, extensión | 长度, 長度 | 長さ
lang: lang, language | sprache | langue | idioma, lengua | 语言, 語言 | 言語
for: for | für | pour | para | 面向, 对象 | 対象
voices: voices | stimmen | voix | voces | 声音, 聲音 | 声
from: from | aus | depuis | desde | 来自, 來自, 来源 | 出典
`)

// lengths have as many words as wordsOf says.
var lengths = readRows(`
short: short, brief, quick | kurz, kurze, kurzen, kurzer, kurzes | court, courte, bref, brève | corto, corta, breve | 短, 简短, 簡短 | 短い, 短く, 簡潔な
medium: medium, default | mittel, normal | moyen, moyenne | medio, media | 中 | 普通
long: long, detailed | lang, lange, langen, langer, langes, ausführlich, ausführliche, ausführlichen | détaillé, détaillée, long, longue | largo, larga, detallado, detallada | 长, 長, 详细, 詳細 | 長い, 長く, 詳しい
`)

// scaffold are the words of an order that name nothing to look for: the line of a language applies where the line is in it.
var scaffold = readRows(`
beside: please, make, create, write, prepare, generate, give, me, us, a, an, the, with, and, as, new, this, that, these, those, note, notes, page, section, into, out, all, my, our, to, it, in, is, what, together, everything, folder, tag, tagged, linked, here, some, turn, do, sum, up, put, build, good, nice, s, i, want, need, would, like, you, can, could, say, says, tell, show, for, file, format | bitte, mach, mache, machen, erstelle, erstellen, schreibe, gib, mir, uns, ein, eine, einen, einem, einer, der, die, das, den, dem, des, mit, und, als, neu, diese, dieser, diesem, notiz, notizen, seite, abschnitt, alle, meine, meinen, meiner, zu, zum, zur, in, ist, was, alles, ordner, hier, zusammen, ich, möchte, brauche, für | s'il, s, il, te, plaît, vous, fais, fait, faites, crée, créer, écris, donne, moi, nous, un, une, le, la, les, l, d, avec, et, en, comme, nouveau, ce, cet, cette, note, notes, page, section, tout, toutes, tous, mes, ma, mon, à, au, aux, dossier, ici, pour | por, favor, haz, hazme, crea, crear, escribe, dame, un, una, el, la, los, las, con, y, en, como, nuevo, esta, este, nota, notas, página, sección, todo, todas, todos, mis, mi, a, al, carpeta, aquí, para | 请, 請, 帮我, 幫我, 给我, 給我, 制作, 製作, 做个, 做一份, 做一个, 做一套, 生成, 创建, 創建, 写一份, 写一个, 写一篇, 一份, 一个, 一個, 一张, 一套, 这篇, 這篇, 笔记, 筆記, 把, 用, 我, 做成, 成, 和, 的, 作为, 为, 為 | ください, 下さい, 作成, 作って, 作り, して, ノート, この, です, を, の, に, で, と, は, が, て
about: of, on, about, from, regarding | von, vom, über, aus, zu | de, du, des, sur, à propos | de, del, sobre, acerca | 关于, 關於, 有关, 根据, 從, 从 | について, に関する, から
`)

// related ask for more than what is named.
var related = readRows(`
related: and related notes, and related, and linked notes, with related notes | und verwandte notizen, und verwandte, und verwandtes | et les notes liées, et notes liées, et apparentées | y notas relacionadas, y las relacionadas, y relacionadas | 以及相关笔记, 和相关笔记, 及相关笔记, 以及相关 | と関連ノート, と関連するノート
`)

// whole asks for all notes, where nothing else is named.
var whole = readRows(`
whole: the whole vault, whole vault, the entire vault, entire vault, this vault, my vault, all of my notes, all my notes, all the notes, all notes, everything in my notes | den ganzen vault, der ganze vault, des ganzen vaults, dem ganzen vault, ganzer vault, allen meinen notizen, alle meine notizen, allen notizen, alle notizen, aller notizen, meinen notizen | tout le coffre, toutes mes notes, toutes les notes | toda la bóveda, todas mis notas, todas las notas | 所有的笔记, 所有笔记, 全部笔记, 所有筆記, 全部筆記 | すべてのノート, 全てのノート, 全ノート
`)

// thisFolder asks for the notes of the folder that the asking note is in.
var thisFolder = readRows(`
this folder: this folder's, this folder, the current folder, the folder of this note, this note's folder | diesem ordner, diesen ordner, dieser ordner, dieses ordners, dem aktuellen ordner, dem ordner dieser notiz | ce dossier, le dossier de cette note, dossier actuel | esta carpeta, la carpeta de esta nota | 这个文件夹, 此文件夹, 這個資料夾, 此資料夾 | このフォルダー, このフォルダ
`)

// aFolder asks for the same where no source and no topic is named.
var aFolder = readRows(`
folder: folder | ordner, ordners | dossier | carpeta | 文件夹, 文件夾, 資料夾 | フォルダー, フォルダ
`)

// row is a meaning with its words.
type row = struct {
	Name  string
	Words []string
	langs []int // by word: the column of its language
}

func readRows(table string) (list []row) {
	for line := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
		name, columns, _ := strings.Cut(line, ": ")
		r := row{Name: name}
		for lang, words := range strings.Split(columns, " | ") {
			for _, w := range strings.Split(words, ", ") {
				r.Words, r.langs = append(r.Words, w), append(r.langs, lang)
			}
		}
		list = append(list, r)
	}
	return list
}

// anyOf are the words of tables as an expression, long ones first.
func anyOf(tables ...[]row) string {
	var list []string
	for _, rows := range tables {
		for _, r := range rows {
			list = append(list, regexp.QuoteMeta(r.Name))
			for _, w := range r.Words {
				list = append(list, regexp.QuoteMeta(w))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(slices.Compact(list), "|")
}

// place is where a text has a word of a table.
type place struct {
	name             string
	lang, start, end int
}

// findWord finds the first word of the tables in a text, and the longest if several begin there. Without one the name
// is "".
func findWord(text string, tables ...[]row) place {
	text = toLower(text)
	found := place{start: len(text)}
	for _, rows := range tables {
		for _, r := range rows {
			for n, w := range append([]string{r.Name}, r.Words...) {
				i := indexWord(text, w)
				if i >= 0 && (i < found.start || i == found.start && i+len(w) > found.end) {
					found = place{r.Name, 0, i, i + len(w)}
					if n > 0 {
						found.lang = r.langs[n-1]
					}
				}
			}
		}
	}
	return found
}

// toLower leaves every letter in its place: some others are longer or shorter in lower case.
func toLower(text string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); utf8.RuneLen(lower) == utf8.RuneLen(r) {
			return lower
		}
		return r
	}, text)
}

// indexWord returns the index of a whole word in a text, or -1. In a script without blanks, a word may be anywhere.
func indexWord(text, word string) int {
	isWide := isWide(word)
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		if isWide || isEdge(text, i-1) && isEdge(text, i+len(word)) {
			return i
		}
		from = i + len(word)
	}
}

func isWide(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}

// isEdge reports whether a word may begin or end at a byte of a text.
func isEdge(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return true
	}
	from := i
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	r, _ := utf8.DecodeRuneInString(text[from:])
	return r != '-' && !(unicode.IsLetter(r) || unicode.IsDigit(r)) || isWide(string(r))
}
