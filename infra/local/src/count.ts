/** A test that failed, if only in its first try. */
export interface Mishap {
  title: string;
  message: string;
  isFlaky: boolean;
}

export interface Count {
  passed: number;
  failed: number;
  mishaps: readonly Mishap[];
}

export const NOTHING: Count = { passed: 0, failed: 0, mishaps: [] };

/** One failure outside of any test. */
export function brokenOff(title: string): Count {
  const message = "It broke off as a whole: what it printed above says why.";
  return { passed: 0, failed: 1, mishaps: [{ title, message, isFlaky: false }] };
}

export function sum(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
    mishaps: counts.flatMap(({ mishaps }) => mishaps),
  };
}
