package apps

// Meta Bind is a plugin of Obsidian: https://github.com/mProjectsCode/obsidian-meta-bind-plugin/blob/master/packages/core/src/api/API.ts
var _ = add(App{Acts: []Act{{Span, `(?:VIEW|INPUT|BUTTON)()\[`, `\`}}})
