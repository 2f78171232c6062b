package keyring

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/queue"
)

// authority is what the hub's certificate is signed by.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	text        string // the certificate as PEM
}

// CA is the certificate of the authority as PEM.
func (r *Ring) CA() string { return r.ca.text }

// validity is that of the authority; the hub's own certificate is made at each start.
const validity = 20 * 365 * 24 * time.Hour

// openAuthority reads the authority of a folder, or makes it.
func openAuthority(folder string) (authority, error) {
	file := filepath.Join(folder, "authority.pem")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = newAuthority(); err == nil {
			err = files.Write(file, data, 0o600)
		}
	}
	if err != nil {
		return authority{}, err
	}
	return readAuthority(data)
}

func newAuthority() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := newTemplate("Vault Dispatcher hub", validity)
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret})...), nil
}

// newTemplate is a certificate that clocks an hour apart believe.
func newTemplate(name string, lasts time.Duration) *x509.Certificate {
	number, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // rand.Reader does not fail
	now := time.Now()
	return &x509.Certificate{SerialNumber: number, Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(lasts)}
}

func readAuthority(data []byte) (authority, error) {
	first, rest := pem.Decode(data)
	second, _ := pem.Decode(rest)
	if first == nil || second == nil {
		return authority{}, errors.New("authority.pem is damaged; remove it, and let the workers join anew")
	}
	certificate, err := x509.ParseCertificate(first.Bytes)
	if err != nil {
		return authority{}, err
	}
	key, err := x509.ParseECPrivateKey(second.Bytes)
	return authority{certificate, key, string(pem.EncodeToMemory(first))}, err
}

// ServerTLS is how the hub shows itself: under one name, whatever its address.
func (r *Ring) ServerTLS() (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := newTemplate(queue.ServerName, validity)
	template.DNSNames, template.KeyUsage = []string{queue.ServerName}, x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	certificate, err := x509.CreateCertificate(rand.Reader, template, r.ca.certificate, &key.PublicKey, r.ca.key)
	if err != nil {
		return nil, err
	}
	shown := tls.Certificate{Certificate: [][]byte{certificate, r.ca.certificate.Raw}, PrivateKey: key}
	return &tls.Config{Certificates: []tls.Certificate{shown}, MinVersion: tls.VersionTLS13}, nil
}

// ClientTLS is how the hub's own process knows it.
func (r *Ring) ClientTLS() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(r.ca.certificate)
	return &tls.Config{RootCAs: pool, ServerName: queue.ServerName, MinVersion: tls.VersionTLS13}
}
