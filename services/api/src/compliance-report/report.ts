import type { ClickRange } from "@tapthru/core/clicks/click-range";
import { NO_CLICKS } from "@tapthru/proto/clicks/keys";
import * as calls from "@tapthru/proto/compliance-report";
import { isCertain } from "@tapthru/proto/rules/amazon/violations";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { REPORTED_LINKS_MAX } from "@tapthru/proto/rules/limits";
import { escapeHtml, PAGE_COLORS_STYLE } from "@tapthru/proto/rules/page-style";
import { PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { handlers, TextReply } from "../callers/handlers.ts";
import { requireScope } from "../callers/key-access.ts";
import { CSV_TYPE, csvText } from "../http/streams.ts";
import { findChannels } from "../resources/channels.ts";
import type { ReportedLink } from "./reported-links.ts";
import { findViolations } from "./violations.ts";

export const complianceReportHandlers = handlers(calls, {
  getComplianceReport: async (api, { ctx, caller: { userId, scopes }, query }) => {
    requireScope(scopes, "clicks:read");
    ctx.vary("Accept");
    const type = ctx.accepts("json", "text/csv", "text/html");
    if (type !== "text/csv" && type !== "text/html") {
      const { linkCount, violations } = await findViolations(api, userId, query.newest);
      const violationCount = violations.filter(({ kind }) => isCertain(kind)).length;
      return { linkCount, violationCount, violations: violations.slice(0, SHOWN_VIOLATIONS) };
    }
    const sections = await answerSections(api, userId);
    ctx.attachment(`compliance-report.${type === "text/csv" ? "csv" : "html"}`);
    if (type === "text/html") return new TextReply("text/html; charset=utf-8", answerPage(sections));
    const records = sections.flatMap(({ title: section, columns: [, ...names], rows }) =>
      rows.map(([item = "", ...cells]) => ({
        section,
        item: escapeFormula(item),
        details: escapeFormula(cells.map((cell, at) => `${names[at]}: ${cell}`).join("; ")),
      })),
    );
    return new TextReply(CSV_TYPE, csvText(["section", "item", "details"], records, query.separator));
  },
});

const SHOWN_VIOLATIONS = 1_000;
/** The gateway waits for ten seconds. */
const CLICKS_READ_MS = 5_000;
const SHOWN_CHANGES = 2_000;
const AT_MOST = `At most ${SHOWN_CHANGES} rows.`;
const CLICKS_MS = 90 * 86_400_000;

interface Section {
  title: string;
  note?: string;
  columns: readonly [string, ...string[]];
  rows: readonly (readonly string[])[];
}

type AnswerApi = Pick<Api, "db" | "logger" | "hostNames" | "clickReader" | "publicBaseUrl">;

async function answerSections(api: AnswerApi, userId: number): Promise<Section[]> {
  const { db, publicBaseUrl } = api;
  const urlOf = (code: string) => shortUrl(publicBaseUrl, code);
  const channels = new Map(
    (await findChannels(db, userId)).map((channel) => [channel.id, { ...channel, ...NO_CHANNEL() }]),
  );
  const endOfClicks = performance.now() + CLICKS_READ_MS;
  let counted = 0;
  const codePairs: string[][] = [];
  const changes: (readonly string[])[] = [];

  const { owner, linkCount } = await findViolations(api, userId, REPORTED_LINKS_MAX, async (links) => {
    for (const { shortCode, untaggedCode } of links) {
      if (untaggedCode !== null) codePairs.push([urlOf(untaggedCode), urlOf(shortCode)]);
    }
    if (changes.length < SHOWN_CHANGES) changes.push(...(await tagChangesOf(db, links)));
    if (performance.now() > endOfClicks) return;
    await addClicks(api, userId, links, channels);
    counted += links.length;
  });

  return [
    {
      title: "Domains",
      note: `Links are the owner's ${linkCount} newest that open something now.`,
      columns: ["Domain", "Whose"],
      rows: [[api.hostNames.siteHost, "this service's"], ...owner.hosts.map((host) => [host, "the owner's"])],
    },
    {
      title: "Channels",
      note: `Taps of the last 90 days${counted < linkCount ? ` on the ${counted} newest links` : ""}, by what opened the link. Only numbers are stored, nothing about visitors.`,
      columns: ["Channel", "Tags", "People", "Previews", "Bots", "Assistants", "Sites that people came from"],
      rows: [...channels.values()].map(({ name, tags, totals, sites }) => [
        ...[name, tags.map(({ marketplace, tag }) => `amazon.${marketplace} ${tag}`).join(", ")],
        ...[totals.person, totals.preview, totals.bot, totals.assistant].map(String),
        topSites(sites),
      ]),
    },
    {
      title: "The sentence that is shown",
      columns: ["Where", "Text"],
      rows: owner.showsDisclosure ? [["Page that opens the app, previews", PAGE_MESSAGES.en.amazonAssociate]] : [],
    },
    {
      title: "Links without a tag, for print and mail",
      note: AT_MOST,
      columns: ["Link", "Without the tag of"],
      rows: codePairs.slice(0, SHOWN_CHANGES),
    },
    {
      title: "Changes of tags",
      note: AT_MOST,
      columns: ["Of", "Time", "Before", "After"],
      rows: [...(await channelTagChanges(db, userId)), ...changes].slice(0, SHOWN_CHANGES),
    },
  ];
}

const NO_CHANNEL = () => ({ totals: { ...NO_CLICKS }, sites: new Map<string, number>() });

const topSites = (sites: ReadonlyMap<string, number>) =>
  [...sites]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([site, people]) => `${site} ${people}`)
    .join(", ");

async function addClicks(
  { clickReader }: Pick<AnswerApi, "clickReader">,
  userId: number,
  links: readonly ReportedLink[],
  channels: ReadonlyMap<number, ReturnType<typeof NO_CHANNEL>>,
) {
  const [from, to] = [Date.now() - CLICKS_MS, Date.now()];
  const range: ClickRange = { from, to, starts: [from] };
  for (const [id, ofChannel] of Map.groupBy(links, ({ channelId }) => channelId)) {
    const channel = channels.get(id ?? 0);
    if (channel === undefined) continue;
    const scope = { userId, linkIds: ofChannel.map((link) => link.id) };
    const { totals, breakdown } = await clickReader.count(scope, range, "referrer", { hasVisitors: false });
    for (const name of ["person", "preview", "bot", "assistant"] as const) channel.totals[name] += totals[name];
    for (const { key, person } of breakdown) channel.sites.set(key, (channel.sites.get(key) ?? 0) + person);
  }
}

const TagChange = z.object({ cells: z.array(z.string()) });

function tagChangesOf(db: Pick<Api["db"], "anyFirst">, links: readonly ReportedLink[]) {
  const ids = links.map(({ id }) => id);
  return db.anyFirst(sql.type(TagChange)`
    SELECT ARRAY[of, utc_text(at), coalesce(before, 'none'), coalesce(after, 'none')] AS cells FROM (
      SELECT short_code AS of, replaced_at AS at, earlier.tag AS before,
        CASE WHEN lead(earlier.id) OVER of_link IS NULL THEN lower(link_tag(links)) ELSE lead(earlier.tag) OVER of_link END AS after
      FROM link_destinations AS earlier JOIN links ON links.id = link_id
      WHERE link_id = ANY(${sql.array(ids, "int8")}) WINDOW of_link AS (PARTITION BY link_id ORDER BY earlier.id)
    ) AS changes WHERE before IS DISTINCT FROM after ORDER BY at DESC
  `);
}

/** Reads the audit log, in which a tag is known by channel and store. */
function channelTagChanges(db: Pick<Api["db"], "anyFirst">, userId: number) {
  return db.anyFirst(sql.type(TagChange)`
    SELECT ARRAY[channels.name || ', amazon.' || tags.marketplace, utc_text(log.at),
      coalesce(log.before ->> 'tag', 'none'), coalesce(log.after ->> 'tag', 'none')] AS cells
    FROM (
      SELECT channel_id, marketplace FROM channel_tags WHERE user_id = ${userId}
      UNION SELECT channel_id, marketplace FROM earlier_channel_tags WHERE user_id = ${userId}
    ) AS tags JOIN channels ON channels.id = tags.channel_id CROSS JOIN LATERAL (
      SELECT * FROM audit_log
      WHERE object_id = tags.channel_id || ' ' || tags.marketplace AND owner_id = ${userId}
        AND starts_with(action, 'channel-tag.')
      ORDER BY at DESC LIMIT ${SHOWN_CHANGES}
    ) AS log ORDER BY log.at DESC LIMIT ${SHOWN_CHANGES}
  `);
}

const STYLE = `${PAGE_COLORS_STYLE}body{margin:2rem auto;max-width:70rem;padding:0 1rem;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
div{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:.5rem 0 2rem;font-size:.875rem}th,td{border:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top}td{min-width:3rem;max-width:24rem;overflow-wrap:break-word}`;

function answerPage(sections: readonly Section[]): string {
  const tables = sections.map(({ title, note = "", columns, rows }) => {
    const head = columns.map((name) => `<th>${name}</th>`).join("");
    const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`);
    return `<h2>${title}</h2>\n<p>${escapeHtml(note)}${rows.length === 0 ? " None." : ""}</p>\n${
      rows.length === 0
        ? ""
        : `<div><table><thead><tr>${head}</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table></div>`
    }`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Compliance report for Amazon</title>
<style>${STYLE}</style>
<h1>Compliance report for Amazon</h1>
<p>Written on ${new Date().toISOString()} from the live service. The rules are from Amazon's texts of 2026-04-14.</p>
${tables.join("\n")}
</html>
`;
}
