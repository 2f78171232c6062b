package openapi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// object is one of JSON.
type object = map[string]any

// schemas makes descriptions of the types of bodies, each named type once.
type schemas struct {
	words map[string]string // comments of "api.Status" and "api.Status.Running"
	made  object
}

// newSchemas reads the comments of the packages whose types are sent.
func newSchemas(t *testing.T) *schemas {
	t.Helper()
	s := &schemas{words: make(map[string]string), made: object{}}
	for _, dir := range []string{"..", "../vaultmind"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("no source in %s: %v", dir, err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			s.readComments(parsed)
		}
	}
	return s
}

func (s *schemas) readComments(file *ast.File) {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			named, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			name := file.Name.Name + "." + named.Name.Name
			s.words[name] = oneLine(decl.Doc.Text())
			if body, ok := named.Type.(*ast.StructType); ok {
				for _, f := range body.Fields.List {
					for _, field := range f.Names {
						s.words[name+"."+field.Name] = oneLine(f.Doc.Text() + f.Comment.Text())
					}
				}
			}
		}
	}
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(text)), " ")
}

// of describes a type; one with a name by a reference.
func (s *schemas) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(s.of(t.Elem()))
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		if t.Elem().Kind() == reflect.String {
			return object{"type": "object", "additionalProperties": object{"type": "string"}}
		}
		return object{"type": "object"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t.Name() == "":
		return s.fields(t)
	}
	name := t.Name()
	if path.Base(t.PkgPath()) == "vaultmind" {
		name = "Plugin" + name
	}
	if s.made[name] == nil {
		s.made[name] = object{} // it may hold itself
		made := s.fields(t)
		if text := s.words[t.String()]; text != "" {
			made["description"] = text
		}
		s.made[name] = made
	}
	return object{"$ref": "#/components/schemas/" + name}
}

func orNull(of object) object {
	if kind, ok := of["type"]; ok {
		of["type"] = []any{kind, "null"}
		return of
	}
	return object{"oneOf": []any{of, object{"type": "null"}}}
}

// fields describes a struct as encoding/json writes it, embedded ones laid open.
func (s *schemas) fields(t reflect.Type) object {
	properties, required := object{}, []any{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || isHidden(t, f, name) {
			continue
		}
		of := f.Type
		absent := strings.Contains(options, "omitempty")
		if absent && of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if name == "error" && f.Type.Kind() == reflect.Pointer {
			continue // it is there to hide another, and is never sent
		}
		described := s.of(of)
		if text := s.words[ownerOf(t, f)+"."+f.Name]; text != "" {
			described["description"] = text
		}
		properties[name] = described
		if !absent {
			required = append(required, name)
		}
	}
	made := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		made["required"] = required
	}
	return made
}

// isHidden reports whether a field of an embedded struct is not sent, because one above it has its name.
func isHidden(t reflect.Type, f reflect.StructField, name string) bool {
	for _, other := range reflect.VisibleFields(t) {
		theirs, _, _ := strings.Cut(other.Tag.Get("json"), ",")
		if theirs == name && len(other.Index) < len(f.Index) {
			return true
		}
	}
	return false
}

// ownerOf names the struct that declares a field.
func ownerOf(t reflect.Type, f reflect.StructField) string {
	for _, i := range f.Index[:len(f.Index)-1] {
		t = t.Field(i).Type
	}
	return t.String()
}

// request describes a body that is sent to the server: a key may be missing unless it is required.
func (s *schemas) request(t reflect.Type, required []string) object {
	if t.Kind() == reflect.Map {
		return s.of(t)
	}
	own := &schemas{words: s.words, made: object{}}
	made := own.fields(t)
	delete(made, "required")
	if len(required) > 0 {
		made["required"] = required
	}
	inlineAll(made, own.made)
	return made
}

// inlineAll puts the parts of a request in the place of references to them, with no key required.
func inlineAll(in any, parts object) {
	switch v := in.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok {
			delete(v, "$ref")
			for key, value := range parts[path.Base(ref)].(object) {
				if key != "required" {
					v[key] = value
				}
			}
		}
		for _, value := range v {
			inlineAll(value, parts)
		}
	case []any:
		for _, value := range v {
			inlineAll(value, parts)
		}
	}
}
