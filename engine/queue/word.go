package queue

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"os"
)

// makeWord returns what somebody says who has these credentials, and nobody else can: the server sends answers of its
// own to subjects that are not the asker's (see engine/queue/hub), so that a subject alone says nothing of
// who speaks. It is the same for the same purpose, also after a restart.
func (c Credentials) makeWord(purpose string) string {
	secret := []byte(c.Seed)
	if c.file != "" {
		secret, _ = os.ReadFile(c.file) // without it there is no connection either
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return hex.EncodeToString(mac.Sum(nil))
}

// leaveWord has a worker leave, cancelWord gives up a task.
func (c Credentials) leaveWord() string { return c.makeWord("leave " + c.Name) }

func (c Credentials) cancelWord(key string) string { return c.makeWord("cancel " + key) }

// isWord compares what was said with what is to be said, which is never nothing.
func isWord(said []byte, word string) bool { return word != "" && hmac.Equal(said, []byte(word)) }
