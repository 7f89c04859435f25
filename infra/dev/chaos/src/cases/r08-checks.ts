import { type CheckResult, none, observed } from "../check-result.ts";
import type { LinkRows } from "../evidence/link-rows.ts";
import type { CreateOutcomes } from "../load/creates.ts";
import type { Exchange } from "../load/exchange.ts";
import { type Visit, visitError } from "../load/visits/visits.ts";

export interface CrashEvidence {
  /** Outcomes of all creates, sent while processes were killed. */
  first: CreateOutcomes;
  /** Results of both retries of the creates that returned no link: codes by URL. */
  retries: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>];
  /** Links in Postgres before the retries: codes by URL. */
  committed: ReadonlyMap<string, string>;
  /** Links in Postgres at the end. */
  rows: LinkRows;
  /** One visit for each link that was ever returned. */
  visits: readonly Visit[];
  opened: readonly Pick<Exchange, "index" | "response">[];
}

export function checkCrashes(evidence: CrashEvidence): CheckResult[] {
  const { first, retries, committed, rows, visits, opened } = evidence;
  const unfinished = first.notCreated;
  const [firstRetry, secondRetry] = retries;
  const badRetries = unfinished.filter(({ url }) => {
    const code = firstRetry.get(url);
    const expected = committed.get(url) ?? code;
    return code === undefined || code !== expected || code !== secondRetry.get(url);
  });
  return [
    observed("creates that returned a link", first.created.size),
    observed("creates refused with 502, 503 or 504", first.refused.length),
    observed("creates without a response", first.withoutResponse),
    observed(
      "creates that returned no link but were committed",
      unfinished.filter(({ url }) => committed.has(url)).length,
    ),
    none("responses that are neither a link nor a valid refusal", first.wrong),
    none(
      "returned links that are missing in Postgres",
      visits
        .filter(({ location, shortCode }) => rows.codeByUrl.get(location) !== shortCode)
        .map(({ shortCode }) => shortCode),
    ),
    none(
      "returned links that do not redirect to their exact URL",
      opened.flatMap(({ index, response }) => visitError(visits[index] as Visit, response) ?? []),
    ),
    none("links without an outbox row", rows.withoutOutboxRow),
    none(
      "retries that returned no link or a different one",
      badRetries.map(({ url }) => url),
    ),
    none("URLs with two links", rows.duplicates),
  ];
}
