package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// bom lists what one built program is made of, in CycloneDX 1.6. Dependencies
// between modules are left out: a program names its modules, not which needs which.
type bom struct {
	Schema     string      `json:"$schema"`
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Serial     string      `json:"serialNumber"`
	Version    int         `json:"version"`
	Metadata   bomMetadata `json:"metadata"`
	Components []component `json:"components"`
}

type bomMetadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	URL        string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// bomSuffix ends the name of a list of parts.
const bomSuffix = ".cdx.json"

// writeBoms writes a list of parts for each program that something was made with.
func (r *release) writeBoms(out string) error {
	for _, name := range slices.Sorted(maps.Keys(r.inputs)) {
		list, err := r.readBom(name, r.inputs[name])
		if err != nil {
			return fmt.Errorf("the parts of %s: %w", name, err)
		}
		text, err := json.MarshalIndent(list, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, product+"_"+r.version+"_"+name+bomSuffix), append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// readBom reads the parts out of a program itself, since these were compiled in, whatever
// go.mod says. The serial number follows from the program's bytes.
func (r *release) readBom(name, program string) (*bom, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	body, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(body))
	whole := describeModule("application", info.Path, r.version)
	whole.Name = strings.TrimSuffix(filepath.Base(program), ".exe")
	whole.Hashes = []hash{{"SHA-256", sum}}
	list := &bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Serial:     "urn:uuid:" + strings.ToLower(r.makeID("sbom\x00"+name+"\x00"+sum)),
		Metadata:   bomMetadata{r.time.Format(time.RFC3339), whole},
		Components: []component{describeModule("library", "stdlib", strings.TrimPrefix(info.GoVersion, "go"))},
	}
	for _, m := range info.Deps {
		part, err := describeLibrary(m)
		if err != nil {
			return nil, err
		}
		list.Components = append(list.Components, part)
	}
	return list, nil
}

// describeLibrary returns a module with its sum from go.sum, also as the digits that other
// tools compare. For a replaced module it is the replacement.
func describeLibrary(m *debug.Module) (component, error) {
	for m.Replace != nil {
		m = m.Replace
	}
	encoded, ok := strings.CutPrefix(m.Sum, "h1:")
	digits, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(digits) != sha256.Size {
		return component{}, fmt.Errorf("%s %s has no sum that others could compare (%q)", m.Path, m.Version, m.Sum)
	}
	part := describeModule("library", m.Path, m.Version)
	part.Hashes = []hash{{"SHA-256", hex.EncodeToString(digits)}}
	part.Properties = []property{{product + ":go.sum", m.Sum}}
	return part, nil
}

// describeModule names a module with a package URL, as databases of vulnerabilities do: the
// type golang is in lower case (https://github.com/package-url/purl-spec).
func describeModule(kind, path, version string) component {
	var parts []string
	for _, p := range strings.Split(strings.ToLower(path), "/") {
		parts = append(parts, url.QueryEscape(p))
	}
	purl := "pkg:golang/" + strings.Join(parts, "/") + "@" + url.QueryEscape(version)
	return component{Type: kind, Ref: purl, Name: path, Version: version, URL: purl}
}
