package apps

// Dice Roller is a plugin of Obsidian: https://plugins.javalent.com/dice
var _ = add(App{Acts: []Act{{Span, `dice(?:[+-][a-z+-]*)?():`, `\`}, {Code, `^[ \t]*dice(?:[+-][a-z+-]*)?():[ \t]*\[\[`, " "}}})
