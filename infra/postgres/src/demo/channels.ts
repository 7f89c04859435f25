import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { labelKey } from "@tapthru/proto/rules/labels";
import type pg from "pg";
import { POOL_LINK } from "./links.ts";

const DEFAULT_TAGS: Partial<Record<Marketplace, string>> = {
  com: "mydemo-20",
  de: "mydemo-21",
  "co.uk": "mydemo-21",
};

const DEMO_CHANNELS = [
  {
    name: "Instagram",
    tags: { com: "demoinsta-20", de: "demoinsta-21" },
    shortCodes: ["demmz22", "demmz23"],
  },
  {
    name: "YouTube",
    tags: { com: "demotube-20", de: "demotube-21" },
    shortCodes: ["demmz24", "demmz25"],
  },
] as const;

const DEMO_LABELS = [
  { name: "Kitchen", colour: "green", shortCodes: ["demmy22", "demmz22", "demmz23"] },
  { name: "Newsletter", colour: "blue", shortCodes: ["demmz26"] },
] as const;

/** The first one is used, the others are free. */
const POOL_TAGS = ["demopool1-21", "demopool2-21", "demopool3-21"];

/** Channels with tags, the pool and labels. */
export async function insertChannelsAndLabels(client: pg.Client, userId: number): Promise<void> {
  await insertChannels(client, userId);
  await insertLabels(client, userId);
}

async function insertChannels(client: pg.Client, userId: number): Promise<void> {
  const insertTags = `
    INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    SELECT id, user_id, key, value FROM channels, jsonb_each_text($2) WHERE id = $1
    ON CONFLICT DO NOTHING`;
  const { rows } = await client.query<{ id: number }>(
    "SELECT id FROM channels WHERE user_id = $1 AND is_default",
    [userId],
  );
  await client.query(insertTags, [rows[0]?.id, JSON.stringify(DEFAULT_TAGS)]);
  for (const { name, tags, shortCodes } of DEMO_CHANNELS) {
    const { rows: added } = await client.query<{ id: number }>(
      `INSERT INTO channels (user_id, name, name_key) VALUES ($1, $2, $3)
       ON CONFLICT (user_id, name_key) DO UPDATE SET name = excluded.name RETURNING id`,
      [userId, name, labelKey(name)],
    );
    await client.query(insertTags, [added[0]?.id, JSON.stringify(tags)]);
    await client.query(
      `UPDATE links SET channel_id = $1, channel_tag = substring(web_url FROM '[?&]tag=([^&]+)')
       WHERE user_id = $2 AND short_code = ANY ($3)`,
      [added[0]?.id, userId, shortCodes],
    );
  }
  // The links of the demo had their channels all the time.
  await client.query(
    "DELETE FROM channel_moves USING channels WHERE channel_id = id AND user_id = $1",
    [userId],
  );
  await client.query(
    `INSERT INTO pool_tags (user_id, marketplace, tag, used_at, link_id)
     SELECT $1, 'de', tag, CASE WHEN place = 1 THEN now() END,
       CASE WHEN place = 1 THEN (SELECT id FROM links WHERE short_code = $3 AND user_id = $1) END
     FROM unnest($2::text[]) WITH ORDINALITY AS listed (tag, place)
     ON CONFLICT DO NOTHING`,
    [userId, POOL_TAGS, POOL_LINK],
  );
}

async function insertLabels(client: pg.Client, userId: number): Promise<void> {
  for (const { name, colour, shortCodes } of DEMO_LABELS) {
    await client.query(
      `WITH added AS (
         INSERT INTO labels (user_id, name, name_key, colour) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING id
       )
       INSERT INTO link_labels (link_id, label_id)
       SELECT links.id, added.id FROM links, added WHERE user_id = $1 AND short_code = ANY ($5)`,
      [userId, name, labelKey(name), colour, shortCodes],
    );
  }
}
