import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { labelKey } from "@tapthru/proto/rules/labels";
import type pg from "pg";

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

export async function insertChannels(client: pg.Client, userId: number): Promise<void> {
  const insertTags = `
    INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    SELECT id, user_id, key, value FROM channels, jsonb_each_text($2) WHERE id = $1
    ON CONFLICT DO NOTHING`;
  const { rows } = await client.query<{ id: number }>("SELECT default_channel($1) AS id", [userId]);
  await client.query(insertTags, [rows[0]?.id, JSON.stringify(DEFAULT_TAGS)]);
  for (const { name, tags, shortCodes } of DEMO_CHANNELS) {
    const { rows: added } = await client.query<{ id: number }>(
      `INSERT INTO channels (user_id, name, name_key) VALUES ($1, $2, $3)
       ON CONFLICT (user_id, name_key) DO UPDATE SET name = excluded.name RETURNING id`,
      [userId, name, labelKey(name)],
    );
    await client.query(insertTags, [added[0]?.id, JSON.stringify(tags)]);
    await client.query(
      `UPDATE links SET channel_id = $1, follows_channel = true, tag = NULL,
         original_url = with_tag(original_url, ''), web_url = with_tag(web_url, '')
       WHERE user_id = $2 AND short_code = ANY ($3)`,
      [added[0]?.id, userId, shortCodes],
    );
  }
  await client.query("UPDATE users SET revision = revision + 1 WHERE id = $1", [userId]);
}

export async function insertLabels(client: pg.Client, userId: number): Promise<void> {
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
