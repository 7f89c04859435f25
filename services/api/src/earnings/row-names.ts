import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsGroup, EarningsRow } from "@tapthru/proto/earnings";
import { displayName } from "@tapthru/proto/rules/display-name";
import * as queries from "./queries.ts";
import type { RowDraft } from "./table-rows.ts";

interface NameDependencies {
  db: Db<"any">;
  publicBaseUrl: string;
}

type NamedRow = Pick<RowDraft, "key" | "match" | "linkIds" | "asin">;

/** Finds the codes of links, those of groups, and the names of links, channels, labels and products; null for rows that their key names. */
export async function findRowNames(
  { db, publicBaseUrl }: NameDependencies,
  { userId, by }: { userId: number; by: EarningsGroup },
  rows: readonly NamedRow[],
): Promise<(row: NamedRow) => Pick<EarningsRow, "key" | "name" | "links">> {
  const named = (nameOf: (row: NamedRow) => string | null) => (row: NamedRow) => {
    return { key: row.key, name: nameOf(row), links: [] };
  };
  const byId = (found: readonly { id: number; name: string }[]) => {
    const names = new Map(found.map(({ id, name }) => [String(id), name]));
    return ({ key }: NamedRow) => (key === null ? null : (names.get(key) ?? null));
  };
  switch (by) {
    case "label":
      return named(byId(await queries.findLabelNames(db, userId)));
    case "channel":
      return named(byId(await queries.findChannelNames(db, userId)));
    case "product": {
      const asins = rows.flatMap(({ key }) => key ?? []);
      const names = await findProductNames(db, userId, asins);
      return named(({ key }) => names.get(key ?? "") ?? null);
    }
    case "link": {
      const found = await queries.findLinkNames(db, userId, [...new Set(rows.flatMap(({ linkIds }) => linkIds))]);
      const host = new URL(publicBaseUrl).host;
      const links = new Map(
        found.map(({ id, shortCode, ...link }) => [id, { shortCode, name: displayName(link, host) }]),
      );
      const asins = rows.flatMap(({ asin }) => asin ?? []);
      const productNames = await findProductNames(db, userId, asins);
      const channelName = byId(await queries.findChannelNames(db, userId));
      return (row) => {
        const ofRow = row.linkIds.flatMap((id) => links.get(id) ?? []);
        const { key } = row;
        if (row.match === "link") return { key: ofRow[0]?.shortCode ?? key, name: ofRow[0]?.name ?? null, links: [] };
        if (row.match === "links") return { key, name: productNames.get(row.asin ?? "") ?? null, links: ofRow };
        return { key, name: channelName(row), links: [] };
      };
    }
    case "store":
    case "day":
      return named(() => null);
  }
}

async function findProductNames(
  db: Db<"any">,
  userId: number,
  asins: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await queries.findProductNames(db, userId, [...new Set(asins)]);
  return new Map(found.map(({ key, name }) => [key, name]));
}
