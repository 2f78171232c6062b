; The setup program for Windows, made by makensis. It installs for one person and
; needs no administrator; nothing starts at logon by itself. /S installs silently,
; /D=FOLDER elsewhere. installer/dist defines VERSION, NUMBER, SOURCE and OUT.
Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
RequestExecutionLevel user
Name "Vault Dispatcher"
OutFile "${OUT}"
Icon "${ICON}"
UninstallIcon "${ICON}"
BrandingText "Vault Dispatcher ${VERSION}"
InstallDir "$LOCALAPPDATA\Programs\Vault Dispatcher"
InstallDirRegKey HKCU "Software\Vault Dispatcher" "Folder"
ShowInstDetails show

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Vault Dispatcher"
!include MUI2.nsh
!include StrFunc.nsh
!include WinMessages.nsh
${StrStr}
${UnStrRep}

!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

VIProductVersion "${NUMBER}.0"
VIAddVersionKey ProductName "Vault Dispatcher"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Vault Dispatcher setup"
VIAddVersionKey LegalCopyright "MIT licence"

; SIZE leaves the length of the person's PATH in $1: NSIS holds 1023 characters,
; and a longer PATH must not be written back cut off.
!macro SIZE
	System::Call 'advapi32::RegGetValueW(p 0x80000001, w "Environment", w "Path", i 0x10000006, p 0, p 0, *i .r1) i .r2'
	IntCmp $2 0 +2 0 0
	StrCpy $1 0
!macroend

; AWAY clears the place of a program that may be running: Windows lets it be
; renamed, but not replaced.
!macro AWAY PROGRAM
	Delete "$INSTDIR\${PROGRAM}.old"
	ClearErrors
	Delete "$INSTDIR\${PROGRAM}"
	IfErrors 0 +2
	Rename "$INSTDIR\${PROGRAM}" "$INSTDIR\${PROGRAM}.old"
!macroend

Section "Vault Dispatcher"
	SetOutPath "$INSTDIR"
	; An engine that runs as a login service is ended, and started again as the new one.
	StrCpy $9 none
	IfFileExists "$INSTDIR\wiki.exe" 0 fresh
	nsExec::ExecToLog '"$INSTDIR\wiki.exe" service status'
	Pop $9
	StrCmp $9 0 0 fresh
	nsExec::ExecToLog '"$INSTDIR\wiki.exe" service stop'
	Pop $0
fresh:
	!insertmacro AWAY wiki.exe
	File "${SOURCE}/wiki.exe"
	!insertmacro AWAY wiki-hub.exe
	File "${SOURCE}/wiki-hub.exe"
!if /FileExists "${SOURCE}/wiki-tray.exe"
	!insertmacro AWAY wiki-tray.exe
	File "${SOURCE}/wiki-tray.exe"
!endif
	File "${SOURCE}/README.md"
	File "${SOURCE}/CHANGELOG.md"
	File "${SOURCE}/THIRD-PARTY-LICENSES.txt"
	File "/oname=LICENSE.txt" "${SOURCE}/LICENSE"
	File "/oname=wiki-completion.ps1" "${SOURCE}/completions/wiki.ps1"
	SetOutPath "$INSTDIR\assets\docs"
	File /r "${SOURCE}/assets/docs/*.*"
	SetOutPath "$INSTDIR"
	WriteUninstaller "$INSTDIR\uninstall.exe"

	CreateDirectory "$SMPROGRAMS\Vault Dispatcher"
!if /FileExists "${SOURCE}/wiki-tray.exe"
	CreateShortCut "$SMPROGRAMS\Vault Dispatcher\Vault Dispatcher.lnk" "$INSTDIR\wiki-tray.exe"
!endif
	CreateShortCut "$SMPROGRAMS\Vault Dispatcher\See it at work.lnk" "$SYSDIR\cmd.exe" '/k ""$INSTDIR\wiki.exe" demo"' "$INSTDIR\wiki.exe"

	WriteRegStr HKCU "Software\Vault Dispatcher" "Folder" "$INSTDIR"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Vault Dispatcher"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
	WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Vault Dispatcher authors"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\wiki.exe"
	WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
	WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
	WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
	WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
	WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1

	!insertmacro SIZE
	IntCmp $1 1600 0 0 long
	ReadRegStr $0 HKCU "Environment" "Path"
	${StrStr} $2 ";$0;" ";$INSTDIR;"
	StrCmp $2 "" 0 done
	StrCmp $0 "" 0 +3
	StrCpy $0 "$INSTDIR"
	Goto +2
	StrCpy $0 "$0;$INSTDIR"
	WriteRegExpandStr HKCU "Environment" "Path" "$0"
	WriteRegDWORD HKCU "Software\Vault Dispatcher" "Path" 1
	SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
	Goto done
long:
	DetailPrint "Your PATH is long and was left alone. Add $INSTDIR to it yourself."
done:
	StrCmp $9 0 0 +3
	nsExec::ExecToLog '"$INSTDIR\wiki.exe" service start'
	Pop $0
SectionEnd

Section "Uninstall"
	; The login service ends its engine. Configuration, state and notes stay.
	nsExec::ExecToLog '"$INSTDIR\wiki.exe" service uninstall'
	Pop $0
!if /FileExists "${SOURCE}/wiki-tray.exe"
	nsExec::ExecToLog 'taskkill /F /IM wiki-tray.exe'
	Pop $0
	Delete "$INSTDIR\wiki-tray.exe"
	Delete "$INSTDIR\wiki-tray.exe.old"
!endif
	Delete "$INSTDIR\wiki.exe.old"
	Delete "$INSTDIR\wiki-hub.exe.old"
	ClearErrors
	Delete "$INSTDIR\wiki-hub.exe"
	IfErrors running
	Delete "$INSTDIR\wiki.exe"
	IfErrors 0 gone
running:
	DetailPrint "wiki.exe or wiki-hub.exe is running. End it, and uninstall again."
	SetErrorLevel 2
	Abort
gone:
	Delete "$INSTDIR\README.md"
	Delete "$INSTDIR\CHANGELOG.md"
	Delete "$INSTDIR\THIRD-PARTY-LICENSES.txt"
	Delete "$INSTDIR\LICENSE.txt"
	Delete "$INSTDIR\wiki-completion.ps1"
	Delete "$INSTDIR\assets\docs\evidence\*.*"
	RMDir "$INSTDIR\assets\docs\evidence"
	Delete "$INSTDIR\assets\docs\*.*"
	RMDir "$INSTDIR\assets\docs"
	RMDir "$INSTDIR\assets"
	Delete "$INSTDIR\uninstall.exe"
	RMDir "$INSTDIR"
	Delete "$SMPROGRAMS\Vault Dispatcher\Vault Dispatcher.lnk"
	Delete "$SMPROGRAMS\Vault Dispatcher\See it at work.lnk"
	RMDir "$SMPROGRAMS\Vault Dispatcher"
	ReadRegDWORD $3 HKCU "Software\Vault Dispatcher" "Path"
	DeleteRegKey HKCU "${UNINSTALL}"
	DeleteRegKey HKCU "Software\Vault Dispatcher"

	; Only what setup added leaves the PATH, and only as a whole entry.
	StrCmp $3 1 0 done
	!insertmacro SIZE
	IntCmp $1 1600 0 0 done
	ReadRegStr $0 HKCU "Environment" "Path"
	${UnStrRep} $2 ";$0;" ";$INSTDIR;" ";"
	StrCpy $2 $2 "" 1
	StrCpy $2 $2 -1
	StrCmp $2 $0 done
	StrCmp $2 "" 0 +3
	DeleteRegValue HKCU "Environment" "Path"
	Goto +2
	WriteRegExpandStr HKCU "Environment" "Path" "$2"
	SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
done:
SectionEnd
