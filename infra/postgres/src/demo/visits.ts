import { UnpackedCounts } from "@tapthru/proto/clicks/packed-counts";
import { mergeSketches, registerOf } from "@tapthru/proto/clicks/visitor-sketch";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import type pg from "pg";
import { DEMO_LINKS, type DemoLink } from "./links.ts";

const DAY_MS = 86_400_000;

export interface Visits {
  link: DemoLink;
  day: string;
  people: number;
}

export type Random = () => number;

export function visitsOf(each: DemoLink, day: string, random: Random): Visits {
  const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
  const people = Math.round(each.people * (0.5 + random()) * (isWeekend ? 1.4 : 1));
  return { link: each, day, people };
}

/** Clicks of days that no report has yet. */
export function visitsToday(random: Random): Visits[] {
  return [1, 0].flatMap((ago) => DEMO_LINKS.map((each) => visitsOf(each, dayAgo(ago), random)));
}

/** Why some taps of a link cannot pay. */
const UNPAID_TAPS: Record<string, string> = { demmy23: "print", demmz24: "ads", demmz26: "mail" };

/** Clicks of links, and of all links of their owner. */
export async function insertClicks(
  client: pg.Client,
  userId: number,
  visits: readonly Visits[],
  random: Random,
): Promise<void> {
  for (const month of new Set(visits.map(({ day }) => `${day.slice(0, 7)}-01`))) {
    await client.query("SELECT create_click_partitions($1)", [month]);
  }
  const rows = visits.map(({ link: { shortCode, marketplace }, day, people }) => {
    const phones = Math.round(people * 0.7);
    // A page may be closed before it says whether it opened the app.
    const reported = Math.round(phones * 0.9);
    const stayed = Math.round(reported * (0.06 + (people % 7) / 50));
    const unpaid = UNPAID_TAPS[shortCode];
    const visitors = Array.from({ length: Math.ceil(people * 0.8) }, () =>
      registerOf(random() * 2 ** 32, random() * 2 ** 32),
    );
    return {
      shortCode,
      day,
      people,
      visitors,
      counts: {
        p: `68:${people}`,
        [`c:${MARKETPLACES[marketplace].country}`]: `68:${people}`,
        "d:ios": `68:${phones}`,
        ...(people > phones && { "d:desktop": `68:${people - phones}` }),
        "o:page": `68:${phones}`,
        "o:opened": `68:${reported - stayed}`,
        ...(stayed > 0 && { "o:stayed": `68:${stayed}` }),
        v: `68:${phones}`,
        "n:v:WhatsApp": `68:${phones}`,
        b: "68:3",
        "n:b:Googlebot": "68:2",
        "n:b:other": "68",
        i: "68",
        "n:i:ChatGPT-User": "68",
        ...(unpaid && { [`y:${unpaid}`]: `68:${Math.ceil(people / 6)}` }),
      },
    };
  });
  await client.query(
    `INSERT INTO clicks (link_id, user_id, day, counts, visitors, people)
     SELECT links.id, links.user_id, visited.day, visited.counts, decode(visited.sketch, 'hex'), visited.people
     FROM jsonb_to_recordset($2)
       AS visited ("shortCode" text, day date, counts jsonb, sketch text, people integer)
     JOIN links ON short_code = "shortCode" AND user_id = $1
     ON CONFLICT DO NOTHING`,
    [userId, JSON.stringify(rows.map(withSketch))],
  );
  const days = [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => {
    const counts = new UnpackedCounts();
    for (const row of ofDay) counts.addPacked(row.counts);
    const people = ofDay.reduce((sum, row) => sum + row.people, 0);
    const visitors = ofDay.flatMap((row) => row.visitors);
    return { day, counts: counts.pack(), people, visitors };
  });
  await client.query(
    `INSERT INTO user_clicks (user_id, day, counts, visitors, people)
     SELECT $1, day, counts, decode(sketch, 'hex'), people
     FROM jsonb_to_recordset($2) AS visited (day date, counts jsonb, sketch text, people integer)
     ON CONFLICT DO NOTHING`,
    [userId, JSON.stringify(days.map(withSketch))],
  );
}

function withSketch<Row extends { visitors: number[] }>({ visitors, ...row }: Row) {
  return { ...row, sketch: Buffer.from(mergeSketches([], visitors)).toString("hex") };
}

export function dayAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
