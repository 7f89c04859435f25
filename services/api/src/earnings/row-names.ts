import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsGroup } from "@tapthru/proto/earnings";
import { displayName } from "@tapthru/proto/rules/display-name";
import * as queries from "./queries.ts";
import type { RowDraft } from "./table-rows.ts";

interface NameDependencies {
  db: Db<"any">;
  publicBaseUrl: string;
}

type NamedRow = Pick<RowDraft, "key" | "match" | "linkIds" | "asin">;

/** Finds the names of rows: of links, channels, labels and products; null for those that their key names. */
export async function findRowNames(
  { db, publicBaseUrl }: NameDependencies,
  { userId, by }: { userId: number; by: EarningsGroup },
  rows: readonly NamedRow[],
): Promise<(row: NamedRow) => string | null> {
  const byId = (found: readonly { id: number; name: string }[]) => {
    const names = new Map(found.map(({ id, name }) => [String(id), name]));
    return ({ key }: NamedRow) => (key === null ? null : (names.get(key) ?? null));
  };
  switch (by) {
    case "label":
      return byId(await queries.findLabelNames(db, userId));
    case "channel":
      return byId(await queries.findChannelNames(db, userId));
    case "product": {
      const asins = rows.flatMap(({ key }) => key ?? []);
      const names = await findProductNames(db, userId, asins);
      return ({ key }) => names.get(key ?? "") ?? null;
    }
    case "link": {
      const linkIds = rows.flatMap((row) => (row.match === "link" ? [...row.linkIds] : []));
      const links = await queries.findLinkNames(db, userId, linkIds);
      const host = new URL(publicBaseUrl).host;
      const linkNames = new Map(links.map((link) => [link.id, displayName(link, host)]));
      const asins = rows.flatMap(({ asin }) => asin ?? []);
      const productNames = await findProductNames(db, userId, asins);
      const channelName = byId(await queries.findChannelNames(db, userId));
      return (row) => {
        if (row.match === "link") return linkNames.get(row.linkIds[0] ?? -1) ?? null;
        if (row.match === "links") return productNames.get(row.asin ?? "") ?? null;
        return channelName(row);
      };
    }
    case "store":
    case "day":
      return () => null;
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
