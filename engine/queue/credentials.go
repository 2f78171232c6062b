package queue

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/secret"
)

// ServerName is the name in the certificate of a hub, whatever its address is.
const ServerName = "wiki-hub"

// Credentials open a queue: its addresses, its authority, and the key of the engine or worker.
type Credentials struct {
	URLs  []string `json:"urls"`
	CA    string   `json:"ca,omitempty"`   // the hub's own, as PEM; "" = those of the system
	Seed  string   `json:"seed,omitempty"` // of an NKey
	Name  string   `json:"name"`           // of the engine or worker
	Lanes []string `json:"lanes,omitempty"`

	file string // a file of credentials in NATS's own form, instead of CA and Seed
}

// Read reads credentials from a file. A file in NATS's own form (.creds) needs the address beside it.
func Read(file, at, name string) (Credentials, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Credentials{}, err
	}
	c := Credentials{file: file}
	if strings.HasPrefix(strings.TrimSpace(string(data)), "{") {
		c.file = ""
		if err := json.Unmarshal(data, &c); err != nil {
			return Credentials{}, fmt.Errorf("read %s: %w", file, err)
		}
	}
	if at != "" {
		c.URLs = strings.Split(at, ",")
	}
	for _, one := range c.URLs {
		if !isSafe(one) {
			return Credentials{}, fmt.Errorf("the queue at %s is on another machine and not encrypted; write tls:// before its address", secret.RedactAddress(one))
		}
	}
	if name != "" {
		c.Name = name
	}
	if len(c.URLs) == 0 || c.Name == "" {
		return Credentials{}, fmt.Errorf("%s does not say where the queue is; set wiki.queue.url and wiki.queue.name", file)
	}
	return c, nil
}

// Address is where the queue is, as people and logs may be told.
func (c Credentials) Address() string { return secret.RedactAddress(strings.Join(c.URLs, ",")) }

// isSafe reports whether the way to an address is encrypted or does not leave this machine.
func isSafe(address string) bool {
	address = strings.TrimSpace(address)
	if !strings.Contains(address, "://") {
		address = "nats://" + address // as the library reads it
	}
	u, err := url.Parse(address)
	if err != nil {
		return false // and the library would repeat it
	}
	if u.Scheme == "tls" || u.Scheme == "wss" {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Save keeps credentials in a file that only the user can read.
func (c Credentials) Save(file string) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(file, append(text, '\n'), 0o600)
}

// HubFolder is where a state folder has its hub, and EngineFile what opens that for the engine beside it.
func HubFolder(state string) string { return filepath.Join(state, "hub") }

// EngineFile is described at [HubFolder].
func EngineFile(state string) string { return filepath.Join(HubFolder(state), "engine.json") }

// dial connects until the connection is closed, however often the server is gone.
func (c Credentials) dial(more ...nats.Option) (*nats.Conn, error) {
	opts := []nats.Option{
		nats.Name(c.Name), nats.CustomInboxPrefix(InboxOf(c.Name)), nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Second), nats.RetryOnFailedConnect(true), nats.IgnoreAuthErrorAbort(),
		nats.PingInterval(20 * time.Second), nats.ReconnectBufSize(-1), nats.Timeout(5 * time.Second),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	secure, err := c.tlsConfig()
	if err != nil {
		return nil, err
	}
	if secure != nil {
		opts = append(opts, nats.Secure(secure))
	}
	if c.file != "" {
		opts = append(opts, nats.UserCredentials(c.file))
	}
	if c.Seed != "" {
		sign, err := newSigner(c.Seed)
		if err != nil {
			return nil, err
		}
		opts = append(opts, sign)
	}
	return nats.Connect(strings.Join(c.URLs, ","), append(opts, more...)...)
}

// dialer ends with its context.
type dialer struct{ ctx context.Context }

// Dial implements [nats.CustomDialer].
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(d.ctx, network, address)
}

// InboxOf returns the subject of the answers to one name, and to no other.
func InboxOf(name string) string { return inboxPrefix + token(name) }

func newSigner(seed string) (nats.Option, error) {
	key, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return nil, fmt.Errorf("the key cannot be used: %w", err)
	}
	public, err := key.PublicKey()
	return nats.Nkey(public, key.Sign), err
}

// tlsConfig is how the hub is known: by its own authority, under one name.
func (c Credentials) tlsConfig() (*tls.Config, error) {
	if c.CA == "" {
		return nil, nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(c.CA)) {
		return nil, errors.New("the hub's certificate cannot be read")
	}
	return &tls.Config{RootCAs: pool, ServerName: ServerName, MinVersion: tls.VersionTLS13}, nil
}

// Token lets one machine join, once.
type Token struct {
	URLs        []string `json:"u"`
	Fingerprint string   `json:"f"` // SHA-256 of the hub's authority
	Seed        string   `json:"s"`
}

const tokenPrefix = "wiki-join-"

// String is the token in one word.
func (t Token) String() string {
	text, _ := json.Marshal(t) // strings alone
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(text)
}

// ParseToken reads what [Token.String] wrote.
func ParseToken(word string) (Token, error) {
	var t Token
	rest, ok := strings.CutPrefix(strings.TrimSpace(word), tokenPrefix)
	text, err := base64.RawURLEncoding.DecodeString(rest)
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if !ok || err != nil || len(t.URLs) == 0 {
		return Token{}, errors.New("that is no token of a hub; wiki hub token prints one")
	}
	return t, nil
}

// Fingerprint is how an authority is known, by its certificate.
func Fingerprint(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return hex.EncodeToString(sum[:])
}

// Joining is what a machine tells the hub it joins, and Joined what it is told.
type Joining struct {
	Public string `json:"public"` // its own key, whose secret half never leaves it
	Name   string `json:"name"`
}

// Joined is described at [Joining].
type Joined struct {
	Name  string   `json:"name"`
	Lanes []string `json:"lanes"` // none = every one
	Error string   `json:"error,omitempty"`
}

// Join exchanges a token for credentials of this machine's own.
func Join(t Token, name string) (Credentials, error) {
	key, err := nkeys.CreateUser()
	if err != nil {
		return Credentials{}, err
	}
	public, _ := key.PublicKey()
	seed, _ := key.Seed()
	c := Credentials{URLs: t.URLs, Seed: string(seed)}
	joined, err := c.askToJoin(t, Joining{public, name})
	c.Name, c.Lanes = joined.Name, joined.Lanes
	return c, err
}

// askToJoin comes with the key of the token and learns the hub's authority, whose fingerprint the
// token has.
func (c *Credentials) askToJoin(t Token, who Joining) (j Joined, err error) {
	sign, err := newSigner(t.Seed)
	if err != nil {
		return j, err
	}
	key, _ := nkeys.FromSeed([]byte(t.Seed)) // signer has read it
	public, _ := key.PublicKey()
	conn, err := nats.Connect(strings.Join(t.URLs, ","), sign, nats.CustomInboxPrefix(InboxOf(public)), nats.NoReconnect(),
		nats.Timeout(5*time.Second), nats.Secure(c.tlsByFingerprint(t.Fingerprint)))
	if errors.Is(err, nats.ErrAuthorization) {
		return j, fmt.Errorf("%w: the token was used before, or is older than 15 minutes; wiki hub token prints a new one", err)
	}
	if err != nil {
		return j, err
	}
	defer conn.Close()
	text, err := json.Marshal(who)
	if err != nil {
		return j, err
	}
	answer, err := conn.Request(joinPrefix+public, text, 10*time.Second)
	if err != nil {
		return j, err
	}
	if err = json.Unmarshal(answer.Data, &j); err == nil && j.Error != "" {
		err = errors.New(j.Error)
	}
	return j, err
}

// tlsByFingerprint believes the authority of this fingerprint, whatever the address, and keeps it.
func (c *Credentials) tlsByFingerprint(fingerprint string) *tls.Config {
	check := func(s tls.ConnectionState) error {
		for _, authority := range s.PeerCertificates {
			if Fingerprint(authority.Raw) != fingerprint {
				continue
			}
			roots := x509.NewCertPool()
			roots.AddCert(authority)
			if _, err := s.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, DNSName: ServerName}); err != nil {
				return err
			}
			c.CA = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.Raw}))
			return nil
		}
		return errors.New("this is not the hub that the token is of")
	}
	return &tls.Config{InsecureSkipVerify: true, VerifyConnection: check, ServerName: ServerName, MinVersion: tls.VersionTLS13} //nolint:gosec // VerifyConnection does
}
