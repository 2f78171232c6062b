package apps

// Emera is a plugin of Obsidian: https://github.com/OlegWock/obsidian-emera/blob/master/src/consts.ts
var _ = add(App{Acts: []Act{{Span, `(?:emera|emjs|emmd)()[:-]`, `\`}, {Span, `jsx()[:-][ \t]*[^a-z \t]`, `\`}}})
