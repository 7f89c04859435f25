/** Statements that remove something that an older release uses, or require something that it does not provide. */
const CONTRACTIONS: readonly RegExp[] = [
  /\bDROP\s+(?!CONSTRAINT|DEFAULT|NOT\s+NULL|INDEX|IDENTITY|EXPRESSION)\w+/gi,
  /\bRENAME\b/gi,
  /\bREVOKE\b(?! ALL ON FUNCTION [\w, ]+ FROM PUBLIC)/gi,
  /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/gi,
  /\bSET\s+NOT\s+NULL\b/gi,
  /\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT\b)\w+\s[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b)/gi,
  /\bADD\s+CONSTRAINT\b/gi,
  /\bCREATE\s+UNIQUE\s+INDEX\b/gi,
];

/**
 * The statements of a migration, without the bodies of its functions, that may break the previous release. Such a
 * migration is released after the release that stopped using what it removes, and declares it in its first line. Unique
 * indexes of tables that the migration creates are left out.
 */
export function findContractions(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, "").replaceAll(/\bAS \$\$.*?\$\$/gs, "");
  const newTables = new Set(
    [...statements.matchAll(/\bCREATE\s+TABLE\s+(\w+)/gi)].map(([, table]) => table),
  );
  const code = statements.replaceAll(
    /\bCREATE\s+UNIQUE\s+INDEX\s+\w+\s+ON\s+(\w+)/gi,
    (statement, table) => (newTables.has(table) ? "" : statement),
  );
  return CONTRACTIONS.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

/** Whether the first line of a migration names the migration since which the removed object is unused. */
export function isDeclaredContraction(sql: string): boolean {
  return /^-- contract: unused since \d{4}\b/.test(sql);
}
