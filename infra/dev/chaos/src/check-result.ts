/** The result of one check. */
export interface CheckResult {
  label: string;
  measured: string;
  /** The limit as text; null for figures that are only reported. */
  limit: string | null;
  passed: boolean;
}

export function observed(label: string, measured: string | number): CheckResult {
  return { label, measured: String(measured), limit: null, passed: true };
}

export function equals(label: string, measured: number, expected: number): CheckResult {
  return compare(label, measured, String(expected), measured === expected);
}

/** @param unit such as "ms" or "s" */
export function atMost(label: string, measured: number, limit: number, unit = ""): CheckResult {
  return compare(label, measured, `≤ ${limit} ${unit}`.trim(), measured <= limit, unit);
}

/** @param unit such as "ms" or "s" */
export function atLeast(label: string, measured: number, limit: number, unit = ""): CheckResult {
  return compare(label, measured, `≥ ${limit} ${unit}`.trim(), measured >= limit, unit);
}

/** Passes when nothing was found; otherwise `measured` has the count and up to three examples. */
export function none(label: string, found: readonly string[]): CheckResult {
  const examples = [...new Set(found)].slice(0, 3).join("; ");
  const measured = found.length === 0 ? "0" : `${found.length}: ${examples}`;
  return { label, measured, limit: "0", passed: found.length === 0 };
}

/** Adds a prefix to the labels. */
export function withPrefix(prefix: string, results: readonly CheckResult[]): CheckResult[] {
  return results.map((result) => ({ ...result, label: `${prefix}: ${result.label}` }));
}

function compare(label: string, measured: number, limit: string, passed: boolean, unit = "") {
  const rounded = Math.round(measured * 100) / 100;
  return { label, measured: `${rounded} ${unit}`.trim(), limit, passed };
}
