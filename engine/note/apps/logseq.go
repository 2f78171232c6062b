package apps

var _ = add(App{
	// Only a folder beside pages or journals is Logseq's:
	// https://github.com/logseq/logseq/issues/4819, https://github.com/logseq/logseq/pull/4629
	Places: []Place{
		{Path: "logseq/bak", Companions: logseqNotes, Description: "where Logseq keeps old versions of pages"},
		{Path: "logseq/version-files", Companions: logseqNotes, Description: "where Logseq keeps old versions of pages"},
	},
	// A template is a block and all below it: https://github.com/logseq/docs/blob/master/pages/templates.md
	BlockKeys: []string{"template"},
})

var logseqNotes = []string{"pages", "journals"}
