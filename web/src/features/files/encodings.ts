export const FILE_ENCODINGS = {
  "windows-1252": "Western European (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "windows-1251": "Cyrillic (Windows-1251)",
  "windows-1254": "Turkish (Windows-1254)",
  "windows-1256": "Arabic (Windows-1256)",
  shift_jis: "Japanese (Shift_JIS)",
  macintosh: "Western European (Mac Roman)",
} as const;
export type FileEncoding = keyof typeof FILE_ENCODINGS;
