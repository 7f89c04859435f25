import { channelOfLink } from "@tapthru/core/earnings/tag-channels";
import { milliseconds } from "@tapthru/core/platform/postgres/values";
import { type LinkConditions, type LinkExpiry, type LinkFilter, SITE_DOMAIN } from "@tapthru/proto/link-lists";
import { EXPIRING_SOON_MS } from "@tapthru/proto/rules/limits";
import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { type FragmentSqlToken, type ListSqlToken, sql } from "slonik";
import type * as z from "zod/mini";

export interface LinkSelection extends LinkConditions {
  ids?: readonly number[] | undefined;
}

/** An SQL condition on `link` and `product` for links of the user. Undefined fields match every link. */
export function matching(userId: number, selection: LinkSelection): ListSqlToken {
  const { q, label, channel, tag, domain, ids, store, show, product, createdFrom, createdBefore, expiry } = selection;
  return sql.join(
    [
      sql.fragment`TRUE`,
      ...(q ? [containsText(userId, q)] : []),
      ...(label === undefined ? [] : [hasLabel(label)]),
      ...(channel === undefined ? [] : [sql.fragment`${channelOfLink(userId)} = ${channel}`]),
      ...(tag === undefined ? [] : [hasTag(userId, tag)]),
      ...(domain === undefined ? [] : [isOn(domain)]),
      ...(ids ? [sql.fragment`link.id = ANY(${sql.array(ids, "int8")})`] : []),
      ...(store ? [sql.fragment`link.marketplace = ${store}`] : []),
      ...(product ? [sql.fragment`link.asin = ${product} AND link.taken_down_at IS NULL`] : []),
      ...(show ? [FILTERS[show]] : []),
      ...(createdFrom ? [sql.fragment`link.created_at >= ${createdFrom}::text::timestamptz`] : []),
      ...(createdBefore ? [sql.fragment`link.created_at < ${createdBefore}::text::timestamptz`] : []),
      ...(expiry ? [EXPIRIES[expiry]] : []),
    ],
    sql.fragment` AND `,
  );
}

function isOn(domain: string): FragmentSqlToken {
  return sql.fragment`split_part(link.short_code, '@', 2) = ${domain === SITE_DOMAIN ? "" : domain}`;
}

/** The tag that a link gets from its channel. Postgres looks for the tags of channels once, not for each link. */
const followedTag = (userId: number) => sql.fragment`(
  SELECT jsonb_object_agg(concat_ws(' ', channel_id, marketplace), followed_tag(channel_id, marketplace)) FROM (
    SELECT channel_id, marketplace FROM channel_tags WHERE user_id = ${userId} UNION
    SELECT channel_id, marketplace FROM earlier_channel_tags WHERE user_id = ${userId}
  ) AS tagged
) ->> concat_ws(' ', link.channel_id, link.marketplace)`;

function hasTag(userId: number, tag: string): FragmentSqlToken {
  const own = sql.fragment`CASE WHEN link.follows_channel THEN ${followedTag(userId)} ELSE link.tag END`;
  return sql.fragment`lower(${own}) = lower(${tag})`;
}

/** Postgres looks for labels once, not for each link. */
function containsText(userId: number, search: string): FragmentSqlToken {
  return sql.fragment`(
    strpos(
      lower(concat_ws(E'\\n', link.nickname, coalesce(link.title, product.title, link.page_title),
        CASE WHEN link.follows_channel THEN with_tag(link.original_url, ${followedTag(userId)}) END, link.original_url, link.short_code)),
      lower(${search})
    ) > 0
    OR link.id IN (
      SELECT link_id FROM link_labels JOIN labels ON labels.id = label_id
      WHERE labels.user_id = ${userId} AND strpos(lower(labels.name), lower(${search})) > 0
    )
  )`;
}

function hasLabel(label: number): FragmentSqlToken {
  return sql.fragment`EXISTS (SELECT FROM link_labels WHERE link_id = link.id AND label_id = ${label})`;
}

/** A look-up for each link: Postgres must not read the states of all users' links. */
const isUnhealthy = sql.fragment`(
  coalesce((SELECT state FROM link_health WHERE link_id = link.id), '')
  = ANY(${sql.array([...UNHEALTHY_STATES], "text")})
)`;

const soon = sql.fragment`now() + ${milliseconds(EXPIRING_SOON_MS)}`;

const hasNoTag = sql.fragment`(link.tag IS NULL AND NOT link.follows_channel)`;

const FILTERS: Record<LinkFilter, FragmentSqlToken> = {
  "no-tag": hasNoTag,
  "needs-attention": sql.fragment`(
    link.taken_down_at IS NOT NULL OR link.marketplace IS NULL OR ${hasNoTag}
    OR link.expires_at < ${soon} OR ${isUnhealthy}
  )`,
};

const EXPIRIES: Record<z.infer<typeof LinkExpiry>, FragmentSqlToken> = {
  never: sql.fragment`link.expires_at IS NULL`,
  soon: sql.fragment`(link.expires_at > now() AND link.expires_at < ${soon})`,
  expired: sql.fragment`link.expires_at <= now()`,
};
