package samples

import "strings"

// Unescape turns the signs by which a golden note spells bytes that do not survive
// an editor into these bytes.
var Unescape = strings.NewReplacer("␍", "\r", "␀", "\x00", "␉", "\t", "⟦BOM⟧", "\xEF\xBB\xBF", "⟦FF⟧", "\xFF", "␄\n", "")
