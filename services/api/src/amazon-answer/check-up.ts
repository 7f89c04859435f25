import type { Breach } from "@tapthru/proto/amazon-answer";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { BREACH_KINDS } from "@tapthru/proto/rules/amazon/breaches";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { splitShortCode } from "@tapthru/proto/rules/short-code";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { findOneLinkStores } from "../stores/stores.ts";
import { type AnsweredLink, answeredLinks, findForbiddenPlaces } from "./answered-links.ts";

const Owner = z.object({
  username: z.string(),
  displayedName: z.nullable(z.string()),
  showsDisclosure: z.boolean(),
  assistantsGetTag: z.boolean(),
  hosts: z.array(z.string()),
});

function findOwner(db: Pick<Api["db"], "one">, userId: number) {
  return db.one(sql.type(Owner)`
    SELECT username, displayed_name AS "displayedName", shows_disclosure AS "showsDisclosure",
      EXISTS (SELECT FROM routing_settings WHERE user_id = users.id AND assistants_get_tag) AS "assistantsGetTag", (
      SELECT coalesce(jsonb_agg(host ORDER BY host), '[]') FROM domains
      WHERE user_id = ${userId} AND verified_at IS NOT NULL
    ) AS hosts
    FROM users WHERE id = ${userId}
  `);
}

/** Worst first. @param newest how many links are read @param onLinks called with the links that are read, page by page */
export async function checkUp(
  api: Pick<Api, "db" | "logger" | "hostNames">,
  userId: number,
  newest: number,
  onLinks: (links: readonly AnsweredLink[]) => Promise<void> | void = () => {},
) {
  const { db } = api;
  const owner = await findOwner(db, userId);
  const served = await findOneLinkStores(api, userId);
  const breaches: Breach[] = [];
  const add = (kind: Breach["kind"], object: string, shortCode: string | null = null) =>
    breaches.push({ kind, object, shortCode });

  let linkCount = 0;
  let isOnSite = false;
  for await (const links of answeredLinks(db, userId, newest)) {
    linkCount += links.length;
    const placesOf = await findForbiddenPlaces(db, links);
    for (const { id, shortCode, webUrl, isDead } of links) {
      isOnSite ||= splitShortCode(shortCode).host === null;
      const page = parseStorePage(webUrl);
      const health = page && tagHealth(page, served);
      for (const place of placesOf(id)) add(place, webUrl, shortCode);
      if (health?.kind === "several") add("several-tags", health.tags.join(", "), shortCode);
      if (health?.kind === "foreign" || (health?.kind === "onelink" && !health.isServed))
        add("wrong-tag", health.tag, shortCode);
      if (isDead) add("dead-product", webUrl, shortCode);
    }
    await onLinks(links);
  }
  const names = [owner.displayedName ?? "", ...owner.hosts, isOnSite ? api.hostNames.siteHost : ""];
  for (const name of names) if (/amazon|amzn/i.test(name)) add("amazon-in-name", name);
  if (owner.assistantsGetTag && linkCount > 0) add("tag-for-assistants", owner.username);
  if (!owner.showsDisclosure && linkCount > 0) add("no-disclosure", owner.username);
  const rank = ({ kind }: Breach) => BREACH_KINDS.indexOf(kind);
  return { owner, linkCount, breaches: breaches.sort((a, b) => rank(a) - rank(b)) };
}
