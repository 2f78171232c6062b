package filename

import (
	"slices"
	"testing"
)

// The names that programs give to second versions, and names of notes that only look like them.
func TestWhyVersion(t *testing.T) {
	for name, by := range map[string]string{
		"Plan.sync-conflict-20240101-120000-ABCDEFG.md":             "Syncthing",
		"Plan (Conflicted copy ThinkPad-T14-G5 202603121129).md":    "Obsidian Sync, Dropbox or Nextcloud",
		"Plan (A Person's conflicted copy 2024-01-01).md":           "Obsidian Sync, Dropbox or Nextcloud",
		"Plan (conflicted copy 2024-01-01 120000).md":               "Obsidian Sync, Dropbox or Nextcloud",
		"plan (case clash from 2026-10-03 101500).md":               "Nextcloud",
		"Plan (Case clash from 2026-10-03 101500).md":               "Nextcloud",
		"Plan (case clash from the meeting).md":                     "",
		"Plan_conflict-20240101-120000.md":                          "ownCloud",
		"Plan_conflict-aperson-20240101-120000.md":                  "ownCloud",
		"Plan.conflict-20240101T120000Z.md":                         "the dispatcher",
		"Plan (In Konflikt stehende Kopie von PC 2024-01-01).md":    "Dropbox",
		"Plan (PCs in Konflikt stehende Kopie 2024-01-01).md":       "Dropbox",
		"Plan (Copie en conflit de SEMLOG-GTH-0001 2025-11-17).md":  "Dropbox",
		"Plan (Copia conflictiva de PC 2024-01-01).md":              "Dropbox",
		"Plan (Copia en conflicto de D SM 2024-03-08).md":           "Dropbox",
		"Plan (Copia in conflitto di MBP.fritz.box 2026-10-08).md":  "Dropbox",
		"Plan (Cópia em conflito de estacao 2024-01-01).md":         "Dropbox",
		"Plan (Co\u0301pia em conflito de estacao 2024-01-01).md":   "Dropbox",
		"Plan (Конфликтующая копия пользователя X 2022-02-14).md":   "Dropbox",
		"Plan (PC の競合コピー 2023-10-29).md":                            "Dropbox",
		"Plan (PC 上の問題のあるコピー 2023-10-29).md":                        "Dropbox",
		"Plan (PC的冲突副本 2023-10-29).md":                              "Dropbox",
		"Plan (Sam's  conflicting copy 2022-08-30).md":              "Maestral",
		"Plan (SFConflict a@example.org 2024-03-12-10-15-30).md":    "Seafile",
		"Plan (SFConflict a@example.org 2024-Jan-2-15-04-05).md":    "Seafile",
		"Plan.conflicted.1689867793000.md":                          "SilverBullet",
		"Plan-host-safeBackup-0001.md":                              "onedrive for Linux",
		"Plan-my-host-safeBackup-0012.md":                           "onedrive for Linux",
		"Plan (# Edit conflict 2026-08-25 abcC #).md":               "Proton Drive",
		"Plan (# Name clash 2026-08-24 abc #).md":                   "Proton Drive",
		"a_Andy-PC_Jan-03-0901-2013_CaseConflict_1.md":              "Synology Drive",
		"a_Andy-PC_Jan-03-0901-2013_Conflict.md":                    "Synology Drive",
		"Plan(Conflict_other (Web browser)_2020-03-25-22-50-36).md": "FileCloud",
		"Plan-conflict-2018-11-08T01_02_03.004Z.md":                 "Cozy",
		"Plan (conflict 2023-11-07-15-46-12).md":                    "a sync program",
		"Plan.d20061216-u121650.md":                                 "Syncovery",
		"Plan~20240101-120000.md":                                   "Syncthing",
		"Plan.md 2012-05-15 131513.md":                              "FreeFileSync",
		"Plan (2024_01_01 12_00_00 UTC).md":                         "File History of Windows",
		"Plan~2024.md":                                              "",
		"Plan 2012-05-15 131513.md":                                 "",
		"Call (12_00 UTC).md":                                       "",
		"Plan (A Person's conflicted copy 2024-01-01) (1).md":       "Obsidian Sync, Dropbox or Nextcloud",
		"Fixing a (conflicted copy) in Dropbox.md":                  "",
		"Which (conflicted copy or original) to keep.md":            "",
		"Names with .sync-conflict- in them.md":                     "",
		"Plan.md":                                                   "",
		"conflicted copy.md":                                        "",
		"Plan (Conflicts between families).md":                      "",
		"Plan (SFConflict resolution).md":                           "",
		"x.conflict-resolution.md":                                  "",
		"a_conflict-of-interest.md":                                 "",
		"KNOWLEDGE_BASE_2024.md":                                    "",
		"How a conflicting copy comes about.md":                     "",
		"Plan (conflict with the team 2024-01-01).md":               "",
		"Plan (Konfliktkopie).md":                                   "",
		"safeBackup plan 0001.md":                                   "",
		"C (# of words).md":                                         "",
		"Weekly 48.md":                                              "",
		"2026-01-02.md":                                             "",
	} {
		if got := WhyVersion(name); got != by {
			t.Errorf("%s: %q, want %q", name, got, by)
		}
		if got := IsNote("x/" + name); got != (by == "") {
			t.Errorf("IsNote(%s) is %v", name, got)
		}
	}
}

func TestOriginals(t *testing.T) {
	for rel, want := range map[string][]string{
		"a 2.md":           {"a.md"},
		"x/a (1).md":       {"x/a.md"},
		"a (Copy).md":      {"a.md"},
		"a (copy).md":      {"a.md"},
		"a (3rd copy).md":  {"a.md"},
		"a copy.md":        {"a.md"},
		"a copy 2.md":      {"a copy.md", "a.md"},
		"a - Copy.md":      {"a -.md", "a.md"},
		"a - Copy (2).md":  {"a - Copy.md", "a.md"},
		"Copy of a.md":     {"a.md"},
		"x/a copy.MD":      {"x/a.MD", "x/a.md"},
		"a.md":             nil,
		"2.md":             nil,
		"copy.md":          nil,
		"a2.md":            nil,
		"2026-01-02.md":    nil,
		"a 2/b.md":         nil,
		"recipe copies.md": nil,

		"a - Kopie.md":    {"a -.md", "a.md"},
		"Kopie von a.md":  {"a.md"},
		"Meeting 10.md":   {"Meeting.md"},
		"Meeting 2026.md": nil,
		"a (2026).md":     nil,
		"2026 a.md":       nil,
		"a-hilap.md":      {"a.md"},
		"a-hilap-2.md":    {"a.md"},
		"a-my-host.md":    {"a-my.md", "a.md"},
		"a-MacBook X.md":  {"a.md"},
		"2026-01-02-x.md": {"2026-01-02.md"},
		"a-b-c-d-e.md":    {"a-b-c-d.md", "a-b-c.md", "a-b.md"},
	} {
		var got []string
		for _, o := range Originals(rel) {
			got = append(got, o.Rel)
			if o.Sure {
				t.Errorf("%s is sure to be one of %s", rel, o.Program)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", rel, got, want)
		}
	}
}

// Names that only a program gives need no more than their original.
func TestSureOriginals(t *testing.T) {
	for rel, want := range map[string]string{
		"x/a-DESKTOP-7F3K2QX.md":              "x/a.md",
		"a-LAPTOP-7F3K2QX-2.md":               "a.md",
		"a-WIN-7F3K2QX1234.md":                "a.md",
		"a-DESKTOP-7F3K2QX-DESKTOP-7F3K2.md":  "a.md",
		"a.dup.md":                            "a.md",
		"a.dup.dup.dup.md":                    "a.md",
		"a.Conflict.md":                       "a.md",
		"a.Conflict2.md":                      "a.md",
		"a.conflict1.md":                      "a.md",
		"a.Conflict.Conflict.md":              "a.md",
		"a [conflicted].md":                   "a.md",
		"a.conflicted.md":                     "a.md",
		"a (conflicting copy).md":             "a.md",
		"a (conflicted copy).md":              "a.md",
		"a (A Person's conflicted copy).md":   "a.md",
		"a (conflicted copy) in Dropbox.md":   "",
		"a (conflicting copy 1).md":           "a.md",
		"a (Konfliktkopie).md":                "a.md",
		"a (Copie en conflit de PC).md":       "a.md",
		"a (Case Conflict).md":                "a.md",
		"a (Case Conflict 1).md":              "a.md",
		"a (Case Conflict (2)).md":            "a.md",
		"a (case conflict law).md":            "",
		"a (Selective Sync Conflict).md":      "a.md",
		"a_BACKUP_1234.md":                    "a.md",
		"a_REMOTE_1234.md":                    "a.md",
		"KNOWLEDGE_BASE_2024.md":              "KNOWLEDGE.md",
		"a-DESKTOP.md":                        "",
		"a.duplicate.md":                      "",
		"a conflict.md":                       "",
		"My (case study).md":                  "",
		"a.conflict of interest.md":           "",
		"Customer_base_2024.md":               "",
		"conflicting copy.md":                 "",
		"Standing desk-DESKTOP-comparison.md": "",
	} {
		got := ""
		for _, o := range Originals(rel) {
			if o.Sure {
				got = o.Rel
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", rel, got, want)
		}
	}
}

func BenchmarkIsNote(b *testing.B) {
	for b.Loop() {
		IsNote("Projects/2026/A note with (an aside) - of some_length.md")
	}
}

func BenchmarkOriginals(b *testing.B) {
	for b.Loop() {
		Originals("Projects/2026/A note of 000123.md")
	}
}
