import { type CheckResult, none, observed } from "../check-result.ts";
import type { LinkRows } from "../evidence/link-rows.ts";
import type { CreateOutcomes } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { type Visit, visitError } from "../load/visits.ts";

export interface CrashEvidence {
  /** Of all creates, while processes were killed. */
  first: CreateOutcomes;
  /** What those that gave no link gave when they were asked for again, and again: codes by address. */
  retries: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>];
  /** What Postgres held of them before they were tried again: codes by address. */
  committed: ReadonlyMap<string, string>;
  /** What Postgres holds in the end. */
  rows: LinkRows;
  /** Of every link that was ever answered. */
  visits: readonly Visit[];
  opened: readonly Pick<Exchange, "index" | "answer">[];
}

export function checkCrashes(evidence: CrashEvidence): CheckResult[] {
  const { first, retries, committed, rows, visits, opened } = evidence;
  const unfinished = first.notMade;
  const [second, third] = retries;
  const badRetries = unfinished.filter(({ url }) => {
    const code = second.get(url);
    const sure = committed.get(url) ?? code;
    return code === undefined || code !== sure || code !== third.get(url);
  });
  return [
    observed("creates answered with a link", first.made.size),
    observed("creates refused with 502, 503 or 504", first.refused.length),
    observed("creates without an answer", first.unanswered),
    observed(
      "of these committed all the same",
      unfinished.filter(({ url }) => committed.has(url)).length,
    ),
    none("answers that are neither a link nor an honest refusal", first.wrong),
    none(
      "answered links that Postgres does not hold",
      visits
        .filter(({ location, shortCode }) => rows.codeOf.get(location) !== shortCode)
        .map(({ shortCode }) => shortCode),
    ),
    none(
      "answered links that do not lead to their exact address",
      opened.flatMap(({ index, answer }) => visitError(visits[index] as Visit, answer) ?? []),
    ),
    none("links without a row in the outbox", rows.withoutChange),
    none(
      "retries without a link, or with another one than the first try had made",
      badRetries.map(({ url }) => url),
    ),
    none("addresses with two links", rows.doubled),
  ];
}
