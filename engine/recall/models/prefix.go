package models

import (
	"cmp"
	"strings"

	"vaultdispatcher/engine/recall/embed"
)

// Models are trained with words before each text that say what the text is for, and
// find far less without them. nomic-embed-text requires them:
// https://huggingface.co/nomic-ai/nomic-embed-text-v1.5

// prefixes are put before a query and before a passage.
type prefixes struct{ query, doc string }

// knownPrefixes is what the makers of models prescribe, by a part of the
// model's name in lower case; the first that fits counts.
var knownPrefixes = []struct {
	part string
	prefixes
}{
	{"embeddinggemma", prefixes{"task: search result | query: ", "title: {title} | text: "}},
	{"embedding-gemma", prefixes{"task: search result | query: ", "title: {title} | text: "}},
	{"nomic-embed", prefixes{"search_query: ", "search_document: "}},
	{"qwen3-embedding", prefixes{"Instruct: Given a question, retrieve passages of notes that answer it\nQuery: ", ""}},
	{"e5-mistral", prefixes{"Instruct: Given a question, retrieve passages of notes that answer it\nQuery: ", ""}},
	{"multilingual-e5-large-instruct", prefixes{"Instruct: Given a question, retrieve passages of notes that answer it\nQuery: ", ""}},
	{"e5-", prefixes{"query: ", "passage: "}},
	{"mxbai-embed", prefixes{"Represent this sentence for searching relevant passages: ", ""}},
	{"snowflake-arctic-embed", prefixes{"query: ", ""}},
}

// prefixesOf returns the prefixes of opts, or else those of the table. A model in
// neither, such as all-minilm and bge-m3, gets none.
func prefixesOf(opts Options) prefixes {
	name := strings.ToLower(strings.ReplaceAll(opts.Model, "_", "-"))
	var p prefixes
	for _, k := range knownPrefixes {
		if strings.Contains(name, k.part) && opts.Provider != "static" {
			p = k.prefixes
			break
		}
	}
	choose := func(set, usual string) string {
		if set == "none" {
			return ""
		}
		return cmp.Or(set, usual)
	}
	return prefixes{choose(opts.QueryPrefix, p.query), choose(opts.DocPrefix, p.doc)}
}

// passageText is a document as the model reads it. A prefix without a place for the
// title gets it as the first line of the text.
func (p prefixes) passageText(d embed.Doc) string {
	if strings.Contains(p.doc, "{title}") {
		return strings.ReplaceAll(p.doc, "{title}", cmp.Or(d.Title, "none")) + d.Text
	}
	if d.Title == "" {
		return p.doc + d.Text
	}
	return p.doc + d.Title + "\n" + d.Text
}
