/** What takes something away from, or asks something new of, a release that does not know of it. */
const CONTRACTIONS: readonly RegExp[] = [
  /\bDROP\s+(?!CONSTRAINT|DEFAULT|NOT\s+NULL|INDEX|IDENTITY|EXPRESSION)\w+/gi,
  /\bRENAME\b/gi,
  /\bREVOKE\b/gi,
  /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/gi,
  /\bSET\s+NOT\s+NULL\b/gi,
  /\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT\b)\w+\s[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b)/gi,
  /\bADD\s+CONSTRAINT\b/gi,
  /\bCREATE\s+UNIQUE\s+INDEX\b/gi,
];

/**
 * The places of a migration under which the release before it might not go on. Such a migration comes a
 * release after the one that stopped using what it ends, and says so in its first line.
 */
export function findContractions(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, "");
  return CONTRACTIONS.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

/** Whether a migration's first line names the one since which nobody uses what it ends. */
export function isDeclaredContraction(sql: string): boolean {
  return /^-- contract: unused since \d{4}\b/.test(sql);
}
