/** One measured thing, and whether it is as it must be. */
export interface CheckResult {
  what: string;
  measured: string;
  /** What it must be, in words; null for what is only told. */
  limit: string | null;
  holds: boolean;
}

export function observed(what: string, measured: string | number): CheckResult {
  return { what, measured: String(measured), limit: null, holds: true };
}

export function equals(what: string, measured: number, expected: number): CheckResult {
  return finding(what, measured, String(expected), measured === expected);
}

/** @param unit as "ms" or "s" */
export function atMost(what: string, measured: number, limit: number, unit = ""): CheckResult {
  return finding(what, measured, `≤ ${limit} ${unit}`.trim(), measured <= limit, unit);
}

/** None of something bad; says of some of them what they were. */
export function none(what: string, found: readonly string[]): CheckResult {
  const examples = [...new Set(found)].slice(0, 3).join("; ");
  const measured = found.length === 0 ? "0" : `${found.length}: ${examples}`;
  return { what, measured, limit: "0", holds: found.length === 0 };
}

/** The same findings, of one part of a trial. */
export function of(part: string, findings: readonly CheckResult[]): CheckResult[] {
  return findings.map((finding) => ({ ...finding, what: `${part}: ${finding.what}` }));
}

function finding(what: string, measured: number, limit: string, holds: boolean, unit = "") {
  const rounded = Math.round(measured * 100) / 100;
  return { what, measured: `${rounded} ${unit}`.trim(), limit, holds };
}
