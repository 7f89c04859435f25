import { changed, inserted, recorded } from "@tapthru/core/events";
import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import { changeOwner } from "@tapthru/core/links/change-owner";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { countUpTo } from "@tapthru/core/platform/postgres/values";
import * as calls from "@tapthru/proto/channels";
import { Channel } from "@tapthru/proto/channels";
import { StoreTag } from "@tapthru/proto/fields";
import { labelKey } from "@tapthru/proto/rules/labels";
import { CHANNELS_MAX_COUNT, COUNTED_LINKS_MAX } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";

type ChangeableDb = Db<"any" | "transaction">;
type Transaction = Db<"any" | "exists" | "maybeOne" | "oneFirst" | "query">;

export const channelHandlers = handlers(calls, {
  listChannels: ({ db }, { userId }) => findCountedChannels(db, userId),

  createChannel: ({ db }, { userId, body: { name, fallbackUrl = null } }) =>
    lockingUser(db, userId, async (transaction) => {
      const channels = await findChannels(transaction, userId);
      if (channels.length >= CHANNELS_MAX_COUNT) throw new ApiError(calls.tooManyChannels);
      const id = await transaction.oneFirst(sql.type(z.object({ id: z.int() }))`
        WITH ${inserted("channel.created")`(user_id, name, name_key, fallback_url)
          VALUES (${userId}, ${name}, ${labelKey(name)}, ${fallbackUrl})`}
        SELECT id FROM object
      `);
      return { id, name, isDefault: false, tags: [], fallbackUrl, linkCount: 0, untagged: [] };
    }),

  updateChannel: async ({ db }, { userId, params: { id }, body }) => {
    await lockingUser(db, userId, async (transaction) => {
      const channels = await findChannels(transaction, userId);
      const channel = requireChannel(channels, id);
      const { name = channel.name, fallbackUrl = channel.fallbackUrl } = body;
      const becomesDefault = body.isDefault === true && !channel.isDefault;
      if (becomesDefault) await endDefault(transaction, userId);
      await changeChannel(
        transaction,
        sql.fragment`id = ${id}`,
        sql.fragment`name = ${name}, name_key = ${labelKey(name)}, fallback_url = ${fallbackUrl},
          is_default = is_default OR ${becomesDefault}`,
      );
      if (becomesDefault || fallbackUrl !== channel.fallbackUrl) await changeOwner(transaction, userId);
    });
    return requireChannel(await findCountedChannels(db, userId), id);
  },

  deleteChannel: async ({ db }, { userId, params: { id } }) => {
    await lockingUser(db, userId, async (transaction) => {
      const channels = await findChannels(transaction, userId);
      const channel = channels.find((candidate) => candidate.id === id);
      if (channel === undefined) return;
      if (channel.isDefault) throw new ApiError(calls.defaultChannel);
      await takeFromUser(transaction, id);
      await deleteTags(transaction, sql.fragment`channel_id = ${id}`);
      await changeOwner(transaction, userId);
      await addBulkUpdate(transaction, "delete-channel", { userId, channelId: id });
    });
    return { id };
  },

  saveChannelTag: async ({ db }, { userId, params: { id }, body }) => {
    await lockingUser(db, userId, async (transaction) => {
      const channels = await findChannels(transaction, userId);
      await saveTag(transaction, { userId, channel: requireChannel(channels, id) }, body);
    });
    const following = sql.fragment`links WHERE user_id = ${userId} AND marketplace = ${body.marketplace} AND channel_id = ${id} AND follows_channel`;
    const linkCount = await db.oneFirst(sql.type(z.object({ count: z.int() }))`
      SELECT ${countUpTo(COUNTED_LINKS_MAX, following)} AS count
    `);
    return { ...body, linkCount };
  },

  deleteChannelTag: async ({ db }, { userId, params: { id, marketplace } }) => {
    await lockingUser(db, userId, async (transaction) => {
      const channels = await findChannels(transaction, userId);
      await deleteTag(transaction, { userId, channel: requireChannel(channels, id) }, marketplace);
    });
    return { marketplace };
  },
});

const Nothing = z.object({});

const known = <Each extends z.ZodMiniType>(each: Each) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((found) => found.flatMap((one) => z.safeParse(each, one).data ?? [])),
  );

const CountedChannel = z.extend(Channel, {
  tags: known(StoreTag),
  untagged: known(Channel.shape.untagged.def.element),
});
const UncountedChannel = z.omit(CountedChannel, { linkCount: true, untagged: true });
type UncountedChannel = z.infer<typeof UncountedChannel>;

const channelColumns = sql.fragment`
  id, name, is_default AS "isDefault", (
    SELECT coalesce(jsonb_agg(jsonb_build_object('marketplace', marketplace, 'tag', tag) ORDER BY marketplace), '[]')
    FROM channel_tags WHERE channel_id = channel.id
  ) AS tags, fallback_url AS "fallbackUrl"
`;

export function findChannels(db: Db<"any">, userId: number) {
  return db.any(sql.type(UncountedChannel)`
    SELECT ${channelColumns} FROM channels AS channel WHERE user_id = ${userId} ORDER BY is_default DESC, name, id
  `);
}

export function findCountedChannels(db: Db<"any">, userId: number) {
  const untagged = (isOfChannel: FragmentSqlToken) => sql.fragment`
    SELECT marketplace FROM links
    WHERE user_id = ${userId} AND marketplace IS NOT NULL AND tag IS NULL AND NOT follows_channel AND ${isOfChannel}
  `;
  return db.any(sql.type(CountedChannel)`
    SELECT ${channelColumns}, ${countUpTo(COUNTED_LINKS_MAX, sql.fragment`links WHERE channel_id = channel.id`)} AS "linkCount", (
      SELECT coalesce(jsonb_agg(jsonb_build_object('marketplace', marketplace, 'linkCount', count) ORDER BY marketplace), '[]')
      FROM (
        SELECT marketplace, count(*) FROM (
          ${untagged(sql.fragment`channel_id = channel.id`)} UNION ALL
          ${untagged(sql.fragment`channel_id IS NULL AND channel.is_default`)} LIMIT ${COUNTED_LINKS_MAX}
        ) AS link GROUP BY 1
      ) AS store
    ) AS untagged
    FROM channels AS channel WHERE user_id = ${userId} ORDER BY is_default DESC, name, id
  `);
}

export async function changeDefaultTag(
  db: ChangeableDb,
  userId: number,
  change: StoreTag | Pick<StoreTag, "marketplace">,
) {
  await lockingUser(db, userId, async (transaction) => {
    const channels = await findChannels(transaction, userId);
    const own = { userId, channel: requireChannel(channels, channels.find(({ isDefault }) => isDefault)?.id) };
    if ("tag" in change) await saveTag(transaction, own, change);
    else await deleteTag(transaction, own, change.marketplace);
  });
}

/** Also for channels of other users, so that their existence is not revealed. */
function requireChannel<Each extends UncountedChannel>(channels: readonly Each[], id: number | undefined): Each {
  const channel = channels.find((candidate) => candidate.id === id);
  if (channel === undefined) throw new ApiError(calls.channelNotFound);
  return channel;
}

async function changeChannel(transaction: Transaction, which: FragmentSqlToken, changes: FragmentSqlToken) {
  await transaction.query(sql.type(Nothing)`WITH ${changed("channel.changed", which)`${changes}`} SELECT`);
}

/** A statement of its own, before the next default: the unique index allows one at any time. */
const endDefault = (transaction: Transaction, userId: number) =>
  changeChannel(transaction, sql.fragment`user_id = ${userId} AND is_default`, sql.fragment`is_default = false`);

async function takeFromUser(transaction: Transaction, id: number) {
  await transaction.query(sql.type(Nothing)`
    WITH object AS MATERIALIZED (
      SELECT * FROM channels WHERE id = ${id}
    ), ${recorded("channel.deleted")}
    UPDATE channels SET user_id = NULL WHERE id = ${id}
  `);
}

interface OwnChannel {
  userId: number;
  channel: UncountedChannel;
}

async function saveTag(transaction: Transaction, own: OwnChannel, { marketplace, tag }: StoreTag): Promise<void> {
  const { userId, channel } = own;
  const earlier = channel.tags.find((each) => each.marketplace === marketplace);
  if (earlier?.tag === tag) return;
  await transaction.query(sql.type(Nothing)`
    ${keepTags(sql.fragment`channel_id = ${channel.id} AND marketplace = ${marketplace}`)}, object AS (
      INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
      VALUES (${channel.id}, ${userId}, ${marketplace}, ${tag})
      ON CONFLICT (channel_id, marketplace) DO UPDATE SET tag = excluded.tag
      RETURNING *
    ), ${recorded(earlier === undefined ? "channel-tag.created" : "channel-tag.changed")}
    SELECT
  `);
  await changeOwner(transaction, userId);
}

async function deleteTag(transaction: Transaction, own: OwnChannel, marketplace: string) {
  const isOfStore = sql.fragment`channel_id = ${own.channel.id} AND marketplace = ${marketplace}`;
  const event = sql.fragment`, ${recorded("channel-tag.deleted", "before")}`;
  if (await deleteTags(transaction, isOfStore, event)) await changeOwner(transaction, own.userId);
}

/** @param event nothing is recorded of the tags of a deleted channel @returns whether there were any */
async function deleteTags(transaction: Transaction, which: FragmentSqlToken, event = sql.fragment``): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.type(Nothing)`
    ${keepTags(which)}${event} DELETE FROM channel_tags WHERE ${which}
  `);
  return rowCount > 0;
}

/** The start of a statement that changes tags of channels, `before`: the tags remain theirs in reports, and those of links that follow them. */
const keepTags = (which: FragmentSqlToken) => sql.fragment`
  WITH before AS MATERIALIZED (SELECT * FROM channel_tags WHERE ${which}), earlier AS (
    INSERT INTO earlier_channel_tags (user_id, marketplace, tag, channel_id)
    SELECT user_id, marketplace, tag, channel_id FROM before
    ON CONFLICT (user_id, marketplace, tag, channel_id) DO UPDATE SET ended_at = now()
  )`;
