package queue

import (
	"crypto/subtle"
	"encoding/base64"
	"os"
	"strings"

	"github.com/nats-io/nkeys"
)

// wordMark begins every text that is signed for a word, so that no other signature counts as one.
const wordMark = "vault-dispatcher word: "

// keyPair is the key of the credentials.
func (c Credentials) keyPair() (nkeys.KeyPair, error) {
	if c.file == "" {
		return nkeys.FromSeed([]byte(c.Seed))
	}
	data, err := os.ReadFile(c.file)
	if err != nil {
		return nil, err
	}
	return nkeys.ParseDecoratedUserNKey(data)
}

// makeWord returns a word that only a holder of these credentials can make: the signature of a
// purpose, and the public key. It is the same for the same purpose, also after a restart. Without a
// key it is "".
func (c Credentials) makeWord(purpose string) string {
	pair, err := c.keyPair()
	if err != nil {
		return ""
	}
	public, err := pair.PublicKey()
	if err != nil {
		return ""
	}
	signature, err := pair.Sign([]byte(wordMark + purpose))
	if err != nil {
		return ""
	}
	return public + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// readWord returns whose word it is, if it is one for this purpose.
func readWord(word, purpose string) (public string, ok bool) {
	public, text, _ := strings.Cut(word, ".")
	signature, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return "", false
	}
	pair, err := nkeys.FromPublicKey(public)
	return public, err == nil && pair.Verify([]byte(wordMark+purpose), signature) == nil
}

// leaveWord has a worker leave.
func (c Credentials) leaveWord() string { return c.makeWord("leave " + c.Name) }

// taskWord is sent with a task. A worker shows by it that it was given the task, and an engine that it
// gives the task up.
func (c Credentials) taskWord(key string) string { return c.makeWord(taskPurpose(key)) }

func taskPurpose(key string) string { return "task " + key }

// isWord compares what was said with what is to be said, which is never nothing.
func isWord(said []byte, word string) bool {
	return word != "" && subtle.ConstantTimeCompare(said, []byte(word)) == 1
}
