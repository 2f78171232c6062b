package disk

import (
	"io/fs"
	"unsafe"

	"golang.org/x/sys/windows"
)

// user is who this process runs for.
type user struct{ sid *windows.SID }

func currentUser() user {
	token, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return user{}
	}
	return user{sid: token.User.Sid}
}

// The rights that change a file, or put another in the place of what a folder holds. Making new files in a folder replaces
// none, and every user of Windows may do so in C:\.
const (
	changesAny    = windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER | windows.GENERIC_ALL
	changesFile   = changesAny | windows.GENERIC_WRITE | windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA
	deleteChild   = 0x40 // FILE_DELETE_CHILD, which x/sys does not name
	changesFolder = changesAny | deleteChild
)

// everybody are the groups that every user of a machine is in, guests too:
// https://learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers
var everybody = []windows.WELL_KNOWN_SID_TYPE{windows.WinWorldSid, windows.WinAuthenticatedUserSid, windows.WinBuiltinUsersSid,
	windows.WinInteractiveSid, windows.WinBuiltinGuestsSid, windows.WinAnonymousSid}

// installer is the service that owns the files of Windows.
const installer = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"

// judge returns what lets others change a path: its owner, or its list of rights. A right that another line of the list
// denies counts all the same.
func (u user) judge(path string, info fs.FileInfo) *Foreign {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil || u.sid == nil {
		return nil
	}
	if owner, _, err := sd.Owner(); err == nil && owner != nil && !u.isOwn(owner) {
		return &Foreign{Path: path, Owner: nameUser(owner), Mend: `takeown /F "` + path + `"`}
	}
	rights := windows.ACCESS_MASK(changesFile)
	if info.IsDir() {
		rights = changesFolder
	}
	if list, _, err := sd.DACL(); err != nil || !lets(list, rights) {
		return nil
	}
	return &Foreign{Path: path, Mend: `icacls "` + path + `" /inheritance:d /remove:g *S-1-1-0 *S-1-5-11 *S-1-5-32-545 *S-1-5-4 *S-1-5-32-546 *S-1-5-7`}
}

func (u user) isOwn(owner *windows.SID) bool {
	return owner.Equals(u.sid) || owner.IsWellKnown(windows.WinBuiltinAdministratorsSid) ||
		owner.IsWellKnown(windows.WinLocalSystemSid) || owner.String() == installer
}

// lets reports whether everybody has one of the rights. Without a list everybody has all.
func lets(list *windows.ACL, rights windows.ACCESS_MASK) bool {
	if list == nil {
		return true
	}
	for i := range uint32(list.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if windows.GetAce(list, i, &ace) != nil || ace.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE ||
			ace.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0 || ace.Mask&rights == 0 {
			continue
		}
		sid := (*windows.SID)(unsafe.Pointer(&ace.SidStart))
		for _, group := range everybody {
			if sid.IsWellKnown(group) {
				return true
			}
		}
	}
	return false
}

func nameUser(sid *windows.SID) string {
	account, domain, _, err := sid.LookupAccount("")
	if err != nil {
		return sid.String()
	}
	return domain + `\` + account
}
