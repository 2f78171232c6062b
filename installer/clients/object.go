package clients

import (
	"bytes"
	"encoding/json"
	"errors"
)

// member is a member of a JSON object, by its offsets in the text.
type member struct {
	key               string
	start, value, end int // the key, the value and its end
}

// readMembers reads the members of the object that begins at a place of a text, and where it ends.
func readMembers(text []byte, at int) (list []member, end int, err error) {
	d := json.NewDecoder(bytes.NewReader(text[at:]))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, 0, errors.Join(errors.New("there is no object of JSON where one should be"), err)
	}
	for d.More() {
		from := at + int(d.InputOffset())
		key, err := d.Token()
		if err != nil {
			return nil, 0, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, 0, err
		}
		from += bytes.IndexByte(text[from:], '"')
		to := at + int(d.InputOffset())
		list = append(list, member{key.(string), from, to - len(value), to})
	}
	_, err = d.Token()
	return list, at + int(d.InputOffset()), err
}

func indexOf(list []member, key string) int {
	at := -1
	for i, m := range list {
		if m.key == key {
			at = i // of several the last counts
		}
	}
	return at
}

// putMember sets a member of the object that begins at a place, in the object's own layout.
func putMember(text []byte, at int, key string, value []byte) ([]byte, error) {
	list, _, err := readMembers(text, at)
	if err != nil {
		return nil, err
	}
	if i := indexOf(list, key); i >= 0 {
		return spliceText(text, list[i].value, list[i].end, value), nil
	}
	name, _ := json.Marshal(key) // a string; cannot fail
	entry := append(append(name, ": "...), value...)
	if len(list) == 0 {
		return spliceText(text, at+1, at+1, append(append([]byte("\n  "), entry...), '\n')), nil
	}
	last := list[len(list)-1]
	gap := text[at+1 : list[0].start] // the white space before the first one
	return spliceText(text, last.end, last.end, append(append([]byte(","), gap...), entry...)), nil
}

// dropMember takes a member out of the object that begins at a place, and says whether what is left is
// an object that putEntry has made.
func dropMember(text []byte, at int, key string) (next []byte, ours bool, err error) {
	list, end, err := readMembers(text, at)
	if err != nil {
		return nil, false, err
	}
	i := indexOf(list, key)
	switch {
	case i < 0:
		return text, false, nil
	case len(list) == 1:
		from, to := list[0].start, list[0].end
		if string(text[at+1:from]) == "\n  " && text[to] == '\n' { // as putMember has put it
			from, to = at+1, to+1
		}
		return spliceText(text, from, to, nil), string(text[at:from])+string(text[to:end]) == ownObject, nil
	case i == 0:
		return spliceText(text, list[0].start, list[1].start, nil), false, nil
	}
	return spliceText(text, list[i-1].end, list[i].end, nil), false, nil
}

func spliceText(text []byte, from, to int, with []byte) []byte {
	next := append([]byte{}, text[:from]...)
	return append(append(next, with...), text[to:]...)
}

// beginOf is where the object of a file begins.
func beginOf(text []byte) int { return max(0, bytes.IndexByte(text, '{')) }

// ownObject is an object that putEntry made for its entry. An object that was there before has another form, and is
// kept.
const ownObject = "{  }"

func putEntry(text []byte, key, command string, args []string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	server := map[string]any{"type": "stdio", "command": command, "args": args}
	if set := placesSet(); len(set) > 0 {
		server["env"] = set
	}
	entry, err := json.Marshal(server)
	if err != nil {
		return nil, err
	}
	list, _, err := readMembers(text, beginOf(text))
	if err != nil {
		return nil, err
	}
	next := text
	if indexOf(list, key) < 0 {
		if next, err = putMember(text, beginOf(text), key, []byte(ownObject)); err != nil {
			return nil, err
		}
		if list, _, err = readMembers(next, beginOf(next)); err != nil {
			return nil, err
		}
	}
	if next, err = putMember(next, list[indexOf(list, key)].value, Entry, entry); err != nil {
		return nil, err
	}
	return next, isSameBut(text, next, key)
}

func dropEntry(text []byte, key string) ([]byte, error) {
	list, _, err := readMembers(text, beginOf(text))
	if err != nil {
		return nil, err
	}
	i := indexOf(list, key)
	if i < 0 {
		return text, nil
	}
	next, ours, err := dropMember(text, list[i].value, Entry)
	if err == nil && ours {
		next, _, err = dropMember(next, beginOf(next), key)
	}
	if err != nil {
		return nil, err
	}
	return next, isSameBut(text, next, key)
}
