import type { Violation } from "@tapthru/proto/compliance-report";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { VIOLATION_KINDS } from "@tapthru/proto/rules/amazon/violations";
import { splitShortCode } from "@tapthru/proto/rules/short-code";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { findOneLinkStores } from "../resources/stores.ts";
import { findForbiddenPlaces, type ReportedLink, reportedLinks } from "./reported-links.ts";

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
export async function findViolations(
  api: Pick<Api, "db" | "logger" | "hostNames">,
  userId: number,
  newest: number,
  onLinks: (links: readonly ReportedLink[]) => Promise<void> | void = () => {},
) {
  const { db } = api;
  const owner = await findOwner(db, userId);
  const served = await findOneLinkStores(api, userId);
  const violations: Violation[] = [];
  const add = (kind: Violation["kind"], object: string, shortCode: string | null = null) =>
    violations.push({ kind, object, shortCode });

  let linkCount = 0;
  let isOnSite = false;
  for await (const links of reportedLinks(db, userId, newest)) {
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
  const rank = ({ kind }: Violation) => VIOLATION_KINDS.indexOf(kind);
  return { owner, linkCount, violations: violations.sort((a, b) => rank(a) - rank(b)) };
}
