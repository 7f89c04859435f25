import { withChannelTag } from "@tapthru/core/links/channel-tags";
import { linksToAddress } from "@tapthru/core/links/links-to-address";
import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { findKnownLinks as call } from "@tapthru/proto/create-links";
import { SHORT_CODE_PATTERN, shortCodeOf } from "@tapthru/proto/rules/short-code";
import { cleanSlug } from "@tapthru/proto/rules/slug";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { requireChannel } from "./change-tags.ts";
import { parseDestination } from "./destination.ts";
import { chooseDomain, findLinkSettings, type LinkDomainsDependencies } from "./link-domains.ts";
import { LinkRow, linkColumns } from "./link-row.ts";

interface WantedLinks {
  userId: number;
  links: z.output<(typeof call)["body"]>["links"];
}

export async function findKnownLinks(app: LinkDomainsDependencies & { db: Db<"any"> }, { userId, links }: WantedLinks) {
  const { channels, domains } = await findLinkSettings(app, { userId });
  const wanted = await mapInTurns(links, ({ url, slug, domain, ...choice }) => {
    requireChannel(channels, choice);
    const destination = parseDestination(url);
    const code = slug === undefined ? "" : shortCodeOf(cleanSlug(slug), chooseDomain(domains, domain));
    return {
      webUrl: destination instanceof ApiError ? null : destinationOf(destination, choice),
      code: SHORT_CODE_PATTERN.test(code) ? code : null,
    };
  });
  const codes = wanted.flatMap(({ code }) => code ?? []);
  const used = new Map((await findUsedCodes(app.db, { userId, codes })).map((each) => [each.code, each]));
  const webUrls = [...new Set(wanted.flatMap(({ webUrl }) => webUrl ?? []))];
  const own = await findOwnLinks(app.db, { userId, webUrls });
  const results = wanted.map(({ webUrl, code }) => {
    const use = code === null ? undefined : used.get(code);
    const slugLink = use?.webUrl === webUrl ? use?.ownCode : null;
    return { webUrl, isSlugUsed: use !== undefined, slugLink: slugLink ?? null };
  });
  return { results, links: [...own] };

  function destinationOf(destination: Exclude<ReturnType<typeof parseDestination>, ApiError>, choice: ChannelChoice) {
    return destination.kind === "short" ? destination.url : withChannelTag(destination.page, choice, channels).webUrl;
  }
}

type ChannelChoice = Parameters<typeof withChannelTag>[1];

const UsedCode = z.object({ code: z.string(), ownCode: z.nullable(z.string()), webUrl: z.nullable(z.string()) });

function findUsedCodes(db: Db<"any">, { userId, codes }: { userId: number; codes: readonly string[] }) {
  const wanted = sql.fragment`(SELECT unnest(${sql.array(codes, "text")}))`;
  return db.any(sql.type(UsedCode)`
    SELECT used.code, own.short_code AS "ownCode", link_url(own, own.web_url) AS "webUrl"
    FROM (
      SELECT short_code AS code, id FROM all_links WHERE short_code IN ${wanted}
      UNION SELECT short_code, link_id FROM link_codes WHERE short_code IN ${wanted}
      UNION SELECT short_code, NULL FROM retired_codes WHERE short_code IN ${wanted}
    ) AS used LEFT JOIN links own ON own.id = used.id AND own.user_id = ${userId}
  `);
}

const OwnLink = z.object({ webUrl: z.string(), shortCode: z.string(), nickname: z.nullable(z.string()) });

/** The user's links that lead to one of the addresses and have not expired. */
function findOwnLinks(db: Db<"any">, { userId, webUrls }: { userId: number; webUrls: readonly string[] }) {
  return db.any(sql.type(OwnLink)`
    SELECT address AS "webUrl", short_code AS "shortCode", nickname
    FROM unnest(${sql.array(webUrls, "text")}) AS wanted (address)
    CROSS JOIN LATERAL (${linksToAddress(userId, sql.fragment`address`)}) AS link
    ORDER BY id
  `);
}

interface UniqueLink {
  index: number;
  webUrl: string | null;
  code: string | null;
  nickname: string | null;
}

const RepeatedLink = z.extend(LinkRow, { index: z.int() });

/**
 * The user's links that new ones would repeat: with the same address, and the code or, if the new one cannot have a code of its own,
 * the same name or any.
 */
export function findRepeatedLinks(db: Db<"any">, userId: number, wanted: readonly UniqueLink[]) {
  return db.any(sql.type(RepeatedLink)`
    SELECT DISTINCT ON (wanted."index") wanted."index", ${linkColumns}
    FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS wanted (
      "index" integer, "webUrl" text, code text, nickname text
    )
    CROSS JOIN LATERAL (${linksToAddress(userId, sql.fragment`wanted."webUrl"`)}) AS link
    LEFT JOIN products product USING (canonical_url)
    WHERE link.id = find_link_id(wanted.code)
      OR (wanted.code IS NULL OR find_link_id(wanted.code) IS NOT NULL)
        AND (wanted.nickname IS NULL OR link.nickname = wanted.nickname)
    ORDER BY wanted."index", link.id
  `);
}
