import { callApiForReply } from "./http/call-api.ts";

/** Where the next page begins, by the header `Link` with its path; null without one. */
export function readNext(headers: Headers, parameter: "cursor" | "before"): string | null {
  const [, nextPage] = /^<(.+)>; rel="next"$/.exec(headers.get("Link") ?? "") ?? [];
  return nextPage === undefined ? null : new URL(nextPage, location.origin).searchParams.get(parameter);
}

/** The ids of all links that match the conditions, newest first. */
export async function listLinkIds(conditions: Record<string, string>): Promise<number[]> {
  const ids: number[] = [];
  let before: string | null = null;
  do {
    const query = { ...conditions, ...(before !== null && { before }) };
    const { headers, body } = await callApiForReply("GET /api/link-ids", { query });
    ids.push(...body);
    before = readNext(headers, "before");
  } while (before !== null);
  return ids;
}
