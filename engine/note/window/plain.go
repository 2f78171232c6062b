package window

import (
	"strings"

	"vaultdispatcher/engine/lazyregexp"
)

// Pictures and files that were pasted as letters are not text for a model. A window names their kind instead, so that
// neither a prompt nor the journal holds them.

const (
	mostLine = 32 << 10 // bytes of a line that are shown
	mostURI  = 100      // characters of a data: URI that are shown
	mostRun  = 512      // bytes of base64 or hex that are shown
	leastRow = 32       // bytes of a line that may be one of several of such data
)

// dataHead is how a data: URI begins (https://www.rfc-editor.org/rfc/rfc2397).
var dataHead = lazyregexp.New(`(?i)\bdata:([a-z]+/[a-z0-9.+-]+)?(?:;[a-z0-9-]+="[^"]*"|;[^;,"'<>()\[\]\s]+)*,`)

// plainLine is a line as a window has it.
func plainLine(line string) string {
	line = cutData(line)
	if len(line) > mostLine {
		return cutAt(line, mostLine)
	}
	return line
}

// Words is what a question says in words: long data in it is cut to its kind, and nothing else is.
func Words(question string) string {
	if len(question) <= mostURI {
		return question
	}
	var rows []row
	for line := range strings.SplitSeq(question, "\n") {
		rows = append(rows, row{text: line})
	}
	var out []string
	for _, r := range joinData(rows) {
		out = append(out, cutData(r.text))
	}
	return strings.Join(out, "\n")
}

// cutData cuts all long data of a line to its kind.
func cutData(line string) string { return cutBytes(cutRuns(cutURIs(line))) }

// cutURIs cuts long data: URIs to the kind of what they hold.
func cutURIs(line string) string {
	if len(line) <= mostURI {
		return line
	}
	var out strings.Builder
	ends := true // a picture may end in the rest of the line
	for {
		m := dataHead().FindStringSubmatchIndex(line)
		if m == nil {
			out.WriteString(line)
			return out.String()
		}
		before, data := line[:m[0]], line[m[1]:]
		length := lengthOfData(before, data)
		if ends && !strings.HasSuffix(before, "`") && drawing().MatchString(line[m[0]:]) && !drawn().MatchString(data[:length]) {
			whole := lengthOfDrawing(data)
			length, ends = max(length, whole), whole > 0
		}
		end := m[1] + length
		if end-m[0] <= mostURI {
			out.WriteString(line[:end])
		} else {
			kind := "data:"
			if m[2] >= 0 {
				kind += line[m[2]:m[3]]
			}
			out.WriteString(line[:m[0]] + kind + leftOut("%d bytes", length))
		}
		line = line[end:]
	}
}

// drawing is how a picture begins that is written as text, and drawingEnd how it ends: people leave its spaces and quotes as they are
// (https://css-tricks.com/probably-dont-base64-svg/). One that holds nothing may be a single tag. drawn is what is whole already.
var (
	drawing    = lazyregexp.New(`^(?i:data:image/svg[^,]*,\s*(?:<|%3C)(?:\?xml|!|svg))`)
	drawingEnd = lazyregexp.New(`(?i)(?:<|%3C)(?:/|%2F)svg\s*(?:>|%3E)`)
	tagEnd     = lazyregexp.New(`(?i)/?(?:>|%3E)`)
	drawn      = lazyregexp.New(`(?i)(?:/|svg)\s*(?:>|%3E)\s*$`)
)

// lengthOfDrawing returns where a picture ends that is written as text, 0 where it does not.
func lengthOfDrawing(data string) int {
	if at := tagEnd().FindStringIndex(data); at != nil && data[at[0]] == '/' {
		return at[1]
	}
	if at := drawingEnd().FindStringIndex(data); at != nil {
		return at[1]
	}
	return 0
}

// lengthOfData returns where the data ends that a URI with this text before it has.
func lengthOfData(before, data string) int {
	if before != "" {
		switch quote := before[len(before)-1]; quote {
		case '"', '\'', '`':
			if end := strings.IndexByte(data, quote); end >= 0 {
				return end
			}
		case '<':
			if end := strings.IndexAny(data, "<>"); end >= 0 && data[end] == '>' {
				return end
			}
		}
	}
	if end := strings.IndexAny(data, " \t\"'<>)]"); end >= 0 {
		return end
	}
	return len(data)
}

// cutRuns cuts long runs of base64 or hex.
func cutRuns(line string) string {
	if len(line) <= mostRun {
		return line
	}
	var out strings.Builder
	kept := 0
	for at := 0; at < len(line); {
		if !isBase64(line[at]) {
			at++
			continue
		}
		end := at
		for end < len(line) && isBase64(line[end]) {
			end++
		}
		if run := line[at:end]; len(run) > mostRun && hasLetters(run) {
			for end < len(line) && line[end] == '=' {
				end++
			}
			out.WriteString(line[kept:at] + leftOut("%d bytes of %s", end-at, kindOf(run)))
			kept = end
		}
		at = end
	}
	return out.String() + line[kept:]
}

// hexBytes are bytes in hex with something between them, as tools and languages print them.
var hexBytes = lazyregexp.New(`(?i)(?:(?:\b(?:[0-9a-f]{2}){1,2}|(?:0x|\\x)(?:[0-9a-f]{2}){1,4})\b[ ,:;-]{0,2})+`)

// cutBytes cuts long runs of such bytes.
func cutBytes(line string) string {
	if len(line) <= mostRun {
		return line
	}
	return hexBytes().ReplaceAllStringFunc(line, func(run string) string {
		bare := strings.TrimRight(run, betweenBytes)
		if len(bare) <= mostRun || !isBytes(bare) {
			return run
		}
		return leftOut("%d bytes of hex", len(bare)) + run[len(bare):]
	})
}

// betweenBytes are the marks between bytes in hex.
const betweenBytes = " ,:;-"

// noPrefix removes the prefix of each byte in a program's text.
var noPrefix = strings.NewReplacer("0x", "", `\x`, "")

// isBytes reports whether a run of hex is bytes and no list of a person. Bytes have one mark between them all along, where
// addresses and times have two; and of their first digits or of their second ones some are letters and some are not,
// unlike those of words (dead beef), seats (1A 2B), squares (e4 e5) and numbers.
func isBytes(run string) bool {
	var letters, numbers [2]int
	place, mark, spaces := 0, byte(0), false
	for _, c := range []byte(noPrefix.Replace(strings.ToLower(run))) {
		switch {
		case c == ' ':
			spaces = true
		case strings.IndexByte(betweenBytes, c) >= 0:
			if mark != 0 && mark != c {
				return false
			}
			mark = c
		case c >= 'a':
			letters[place]++
			place ^= 1
		default:
			numbers[place]++
			place ^= 1
		}
	}
	if spaces && (mark == ':' || mark == '-') {
		return false
	}
	least := (letters[0] + numbers[0]) / 8
	return min(letters[0], numbers[0]) > least || min(letters[1], numbers[1]) > least
}

// joinData makes one row of rows of equal length that together are base64 or hex, as mail and keys have them.
func joinData(rows []row) []row {
	out := rows[:0:0]
	for i := 0; i < len(rows); {
		body, asBytes := bodyOfRow(rows[i], false), false
		if body == "" {
			body, asBytes = bodyOfRow(rows[i], true), true
		}
		size, next := len(body), i+1
		if size >= leastRow {
			for next < len(rows) {
				more := bodyOfRow(rows[next], asBytes)
				if more == "" || len(more) > len(body) || len(more) < len(body) && kindOf(body) == "hex" && kindOf(more) != "hex" {
					break
				}
				size += len(more)
				if next++; len(more) < len(body) {
					break
				}
			}
		}
		switch {
		case next == i+1 || size <= mostRun:
			out, next = append(out, rows[i]), i+1
		case asBytes && !areBytes(rows[i:next]):
			out = append(out, rows[i:next]...)
		default:
			out = append(out, row{text: leftOut("%d bytes of %s", size, kindOf(body))})
		}
		i = next
	}
	return out
}

// areBytes reports whether rows are [isBytes] together.
func areBytes(rows []row) bool {
	var run strings.Builder
	for _, r := range rows {
		run.WriteString(bodyOfRow(r, true))
	}
	return isBytes(run.String())
}

// name is a row that is one of a list of ids or commits: those a person asks about.
var name = lazyregexp.New(`^(?i:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{40})$`)

// bodyOfRow returns a row of nothing but base64 or hex, or nothing but bytes with marks between them, and "" for any
// other row. A row with : or - between bytes but not at its end is an address or a fingerprint.
func bodyOfRow(r row, asBytes bool) string {
	body := strings.Trim(r.text, " \t>\r")
	if r.request || body == "" || name().MatchString(body) {
		return ""
	}
	if asBytes {
		last := body[len(body)-1]
		if hexBytes().FindString(body) != body || strings.ContainsAny(body, ":-") && last != ':' && last != '-' {
			return ""
		}
		return body
	}
	bare := strings.TrimRight(body, "=")
	for i := range len(bare) {
		if !isBase64(bare[i]) {
			return ""
		}
	}
	if !hasLetters(bare) {
		return ""
	}
	return body
}

func isBase64(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '+' || c == '/' || c == '-' || c == '_'
}

func hasLetters(run string) bool { return strings.Trim(run, "-_/+") != "" }

func kindOf(run string) string {
	if strings.Trim(run, `0123456789abcdefABCDEFxX\=`+betweenBytes) == "" {
		return "hex"
	}
	return "base64"
}
