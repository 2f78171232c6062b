package apps

// Joplin synchronises through a folder of items, each named by its id. No person is meant to edit them
// (https://github.com/laurent22/joplin/issues/264). The folder of attachments beside them is that of
// https://github.com/laurent22/joplin/blob/dev/packages/lib/services/synchronizer/utils/types.ts
var _ = add(App{
	Places: []Place{{Item: `^[0-9a-f]{32}\.md$`, Companions: []string{".resource"}, Description: "Joplin"}},
	// https://github.com/joplin/plugin-templates#default-variables
	Placeholders: []string{`\{\{[ \t]*#?(?:datetime|custom_datetime|bowm|bows)\b[^{}\n]*\}\}`},
})
