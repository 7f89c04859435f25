import { OwnerRow, selectOwnerFields } from "@tapthru/core/links/owner-columns";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { Label } from "@tapthru/proto/labels";
import { TAG_SOURCES } from "@tapthru/proto/links";
import { OWNER_FIELD_NAMES } from "@tapthru/proto/owner-fields";
import { OwnerRecord } from "@tapthru/proto/redirect/owner";
import { LiveRecord, RedirectRecord } from "@tapthru/proto/redirect/record";
import { ATTRIBUTION_TAG } from "@tapthru/proto/rules/amazon/earning-tags";
import { CHECK_SOURCES, LINK_STATES } from "@tapthru/proto/rules/link-health";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";

export const ClosedLink = z.object({ link: LiveRecord, owner: OwnerRecord });

const { title, ...otherFields } = OwnerRow.shape;

export const LinkRow = z.object({
  id: z.int(),
  shortCode: z.string(),
  revision: z.int(),
  originalUrl: z.string(),
  webUrl: z.string(),
  deepLink: z.string(),
  ...otherFields,
  title,
  /** Set by the owner; `title` is that of the page if it is null. */
  ownTitle: title,
  ownImageUrl: otherFields.imageUrl,
  description: z.nullable(z.string()),
  siteName: z.nullable(z.string()),
  userId: z.nullable(z.int()),
  /** Unix milliseconds. */
  createdAt: z.number(),
  takenDown: z.boolean(),
  labels: z.array(Label),
  channelId: z.nullable(z.int()),
  tagSource: z.enum(TAG_SOURCES),
  hasUnknownTag: z.boolean(),
  healthState: z.nullable(z.enum(LINK_STATES)),
  /** Unix milliseconds, as the next two. */
  healthSince: z.nullable(z.number()),
  checkedAt: z.nullable(z.number()),
  attemptedAt: z.nullable(z.number()),
  /** The page that opens instead of the link's own; null also for records that this release cannot read. */
  closed: z.catch(z.nullable(ClosedLink), null),
  untaggedCode: z.nullable(z.string()),
  checkSource: z.nullable(z.enum(CHECK_SOURCES)),
  /** Number of the due attempt to read the metadata; null if none is due. */
  dueAttempt: z.nullable(z.int()),
});
export type LinkRow = z.infer<typeof LinkRow>;

export const RecordedLinkRow = z.extend(LinkRow, {
  /** Null instead of a record that this release cannot read. */
  record: z.catch(z.nullable(RedirectRecord), null),
});
export type RecordedLinkRow = z.infer<typeof RecordedLinkRow>;

/** Is null also for a channel that was deleted, until the relay has removed it from the link. */
export const ownChannel = sql.fragment`(
  SELECT channels.id FROM channels WHERE channels.id = link.channel_id AND channels.user_id IS NOT NULL
)`;

export const followsChannel = sql.fragment`(link.follows_channel AND ${ownChannel} IS NOT NULL)`;

/** True if the user saved tags, but not that of the link. */
const hasUnknownTag = sql.fragment`(
  link.tag <> ${ATTRIBUTION_TAG} AND EXISTS (SELECT FROM channel_tags WHERE user_id = link.user_id)
  AND NOT EXISTS (
    SELECT FROM channel_tags WHERE user_id = link.user_id AND lower(tag) = lower(link.tag) UNION ALL
    SELECT FROM earlier_channel_tags WHERE user_id = link.user_id AND lower(tag) = lower(link.tag))
) IS TRUE`;

export const closedLink = sql.fragment`jsonb_build_object(
  'link', redirect_record(link::links, product), 'owner', owner_record(link.user_id)
)`;

/** @param isNew the statement inserts the links, so that no other row can refer to them */
function columnsOf(isNew: boolean): FragmentSqlToken {
  const ofOthers = (stored: FragmentSqlToken, ofNew = sql.fragment`NULL`) => (isNew ? ofNew : stored);
  // Values set by the owner take precedence over those of the page.
  return sql.fragment`
  link.id, link.short_code AS "shortCode", link.revision, link_url(link::links, link.original_url) AS "originalUrl",
  link_url(link::links, link.web_url) AS "webUrl", link.deep_link AS "deepLink",
  ${selectOwnerFields(
    "link",
    OWNER_FIELD_NAMES.filter((field) => field !== "title" && field !== "imageUrl"),
  )},
  coalesce(link.title, product.title, link.page_title) AS title,
  link.title AS "ownTitle",
  coalesce(link.description, product.description) AS description,
  coalesce(link.image_url, product.image_url) AS "imageUrl", link.image_url AS "ownImageUrl",
  coalesce(link.site_name, product.site_name) AS "siteName",
  link.user_id AS "userId", link.created_at AS "createdAt",
  link.taken_down_at IS NOT NULL AS "takenDown",
  ${ofOthers(
    sql.fragment`(SELECT coalesce(
      jsonb_agg(jsonb_build_object('id', label.id, 'name', label.name, 'colour', label.colour)
        ORDER BY label.name, label.id),
      '[]')
    FROM link_labels JOIN labels label ON label.id = link_labels.label_id
    WHERE link_labels.link_id = link.id)`,
    sql.fragment`'[]'::jsonb`,
  )} AS labels,
  ${ofOthers(ownChannel, sql.fragment`link.channel_id`)} AS "channelId",
  CASE WHEN ${ofOthers(followsChannel, sql.fragment`link.follows_channel`)} THEN 'channel' ELSE 'own' END AS "tagSource",
  ${hasUnknownTag} AS "hasUnknownTag",
  ${ofOthers(sql.fragment`(SELECT state FROM link_health WHERE link_id = link.id)`)} AS "healthState",
  ${ofOthers(sql.fragment`(SELECT since FROM link_health WHERE link_id = link.id)`)}::timestamptz AS "healthSince",
  product.checked_at AS "checkedAt", product.attempted_at AS "attemptedAt",
  product.check_source AS "checkSource",
  CASE WHEN link.user_id IS NOT NULL AND link.taken_down_at IS NULL
    AND (link.expires_at <= now() OR link.starts_at > now() OR product.check_state = 'product-gone')
  THEN ${closedLink} END AS closed,
  ${ofOthers(sql.fragment`(SELECT short_code FROM link_codes WHERE link_id = link.id AND is_untagged)`)} AS "untaggedCode",
  CASE
    WHEN link.canonical_url IS NULL THEN NULL
    WHEN product.canonical_url IS NULL THEN 0
    WHEN product.next_attempt_at <= now() THEN product.attempts
  END AS "dueAttempt"
`;
}

export const linkColumns = columnsOf(false);

export const INSERTED_LINK = {
  statementName: "insert-links",
  columns: (isNew: boolean) => sql.fragment`${columnsOf(isNew)}, redirect_record(link::links, product) AS record`,
  row: z.extend(RecordedLinkRow, { index: z.int() }),
};

/** `link` has the columns of the table and no others. */
export const recordedLinkColumns = INSERTED_LINK.columns(false);

/** The redirect records of these links, without those that this release cannot read: the relay reports them. */
export function redirectRecords(links: readonly RecordedLinkRow[]): CodeRecord[] {
  return links.flatMap(({ shortCode, record }) => (record === null ? [] : { shortCode, record }));
}
