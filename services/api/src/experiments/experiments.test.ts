import { createChannel, deleteChannel, saveChannelTag } from "@tapthru/proto/channels";
import { createLink } from "@tapthru/proto/create-links";
import { getEarnings } from "@tapthru/proto/earnings";
import { ERRORS } from "@tapthru/proto/errors";
import {
  createExperiment,
  deleteExperiment,
  type Experiment,
  getExperiment,
  listExperiments,
  updateExperiment,
} from "@tapthru/proto/experiments";
import { saveStoreTag } from "@tapthru/proto/stores";
import { beforeEach, describe, expect, it } from "vitest";
import { addReport } from "../testing/test-earnings.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
const A = { tag: "blog-a-21", way: "app" } as const;
const B = { tag: "Blog-b-21", way: "browser" } as const;
const DAY_MS = 86_400_000;

let ada: TestUser;
let channelId: number;
beforeEach(async () => {
  ada = await signUpUser(api);
  channelId = await addChannel("Blog", "blog-21");
});

async function addChannel(name: string, tag: string): Promise<number> {
  const { id } = await ada.call(createChannel, { body: { name } });
  await ada.call(saveChannelTag, { params: { id }, body: { marketplace: "de", tag } });
  return id;
}

const setup = (changes: object = {}) => ({
  body: { channelId, marketplace: "de" as const, os: "ios" as const, a: A, b: B, days: 7, ...changes },
});
const start = (changes = {}) => ada.call(createExperiment, setup(changes));
const refusal = (changes = {}) => ada.refusal(createExperiment, setup(changes));
const update = ({ id }: Experiment, adopted: "a" | "b" | null) =>
  ada.call(updateExperiment, { params: { id }, body: { adopted } });

async function recordOf(shortCode: string) {
  const [row] = await api.query(`SELECT record FROM redirect_records WHERE short_code = '${shortCode}'`);
  return (row?.record ?? {}) as { experiments?: unknown };
}

const endedTwoDaysAgo = ({ id }: Experiment) =>
  api.query(`UPDATE experiments SET ends_at = now() - interval '48 hours' WHERE id = ${id}`);
const addLink = (body: object) => ada.call(createLink, { body: { url: PAGE, ...body } });

describe("an experiment", () => {
  it("is in the records of links that follow the channel's tag in the store, until it ends", async () => {
    const follower = await addLink({ channelId, usesChannelTag: true });
    const own = await addLink({ url: `${PAGE}?tag=own-21`, channelId });
    const experiment = await start();
    const { id } = experiment;
    expect(await ada.call(listExperiments)).toEqual([experiment]);
    const to = Date.parse(experiment.endsAt);
    expect(to - Date.parse(experiment.startsAt)).toBe(7 * DAY_MS);
    const record = { id, os: "ios", arms: { a: A, b: B }, adopted: null, to };
    expect(await recordOf(follower.shortCode)).toMatchObject({ experiments: [record] });
    expect((await recordOf(own.shortCode)).experiments).toBeUndefined();
    for (const opening of ["app", "tap"] as const) {
      const chosen = await addLink({ channelId, usesChannelTag: true, opening });
      expect(await recordOf(chosen.shortCode)).not.toHaveProperty("experiments");
    }
    const changes = `SELECT payload FROM mass_changes WHERE kind = 'routing' AND payload ->> 'channelId' = '${channelId}'`;
    expect(await api.query(changes)).toEqual([{ payload: { channelId } }]);

    expect(await update(experiment, "b")).toMatchObject({ id, adopted: "b" });
    expect(await recordOf(follower.shortCode)).toMatchObject({ experiments: [{ id, adopted: "b" }] });
    for (const adopted of ["a", null] as const) {
      await update(experiment, adopted);
      expect((await recordOf(follower.shortCode)).experiments).toBeUndefined();
    }
    expect(await api.query(changes)).toHaveLength(4);
  });

  it("is one at a time for a channel, store and system, with what was adopted", async () => {
    const taken = [409, ERRORS["experiment-running"].message];
    const first = await start();
    const others = { a: { ...A, tag: "c-21" }, b: { ...B, tag: "d-21" } };
    expect(await refusal(others)).toEqual(taken);
    await update(first, "b");
    expect(await refusal(others)).toEqual(taken);
    await update(first, null);
    const second = await start(others);
    expect(await ada.refusal(updateExperiment, { params: first, body: { adopted: "b" } })).toEqual(taken);
    expect(await ada.call(deleteExperiment, { params: second })).toEqual({ id: second.id });
    await update(first, "b");
    expect(await ada.call(listExperiments)).toMatchObject([{ id: first.id, adopted: "b" }]);
  });

  it("starts after the app was adopted, which opens as for other links", async () => {
    const first = await start();
    await update(first, "a");
    expect(await start({ a: { ...A, tag: "c-21" }, b: { ...B, tag: "d-21" } })).toMatchObject({ adopted: null });
  });

  it("has tracking IDs that nothing else uses", async () => {
    const inUse = [409, ERRORS["tag-in-use"].message];
    await addChannel("Other", "other-21");
    await addLink({ url: `${PAGE}?tag=own-21` });
    for (const tag of ["blog-21", "OTHER-21", "own-21"]) expect(await refusal({ b: { ...B, tag } })).toEqual(inUse);
    expect((await refusal({ b: { ...B, tag: "BLOG-A-21" } }))[0]).toBe(422);
    const first = await start();
    expect(await refusal({ os: "android" })).toEqual(inUse);
    expect(await refusal({ marketplace: "fr" })).toEqual([409, ERRORS["channel-has-no-tag"].message]);
    await update(first, null);
    expect(await refusal({ b: { ...B, tag: "d-21" } })).toEqual(inUse);
    expect(await refusal({ a: { ...A, tag: "BLOG-B-21" }, b: { ...B, tag: "d-21" } })).toEqual(inUse);
    await endedTwoDaysAgo(first);
    expect(await start()).toMatchObject({ a: A });
  });

  it("shares its tracking IDs with no channel until two days after its end", async () => {
    const otherId = await addChannel("Other", "other-21");
    const experiment = await start();
    const body = { marketplace: "de", tag: "BLOG-A-21" } as const;
    const refusals = async () => [
      await ada.refusal(saveStoreTag, { body }),
      await ada.refusal(saveChannelTag, { params: { id: otherId }, body }),
      await ada.refusal(saveChannelTag, { params: { id: channelId }, body: { ...body, tag: B.tag } }),
    ];
    const inUse = Array(3).fill([409, ERRORS["tag-in-use"].message]);
    expect(await refusals()).toEqual(inUse);
    await update(experiment, "b");
    expect(await refusals()).toEqual(inUse);
    await ada.call(saveStoreTag, { body: { ...body, marketplace: "fr" } });
    await endedTwoDaysAgo(experiment);
    expect(await ada.call(saveStoreTag, { body })).toEqual(body);
  });

  it("and a channel that want one tracking ID at once do not both get it", async () => {
    const body = { marketplace: "de", tag: A.tag } as const;
    const both = await Promise.allSettled([start(), ada.call(saveStoreTag, { body })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("is of its user alone, and ends with its channel", async () => {
    const eve = await signUpUser(api);
    const experiment = await start();
    const notFound = [404, ERRORS["experiment-not-found"].message];
    expect(await eve.refusal(createExperiment, setup())).toEqual([404, ERRORS["channel-not-found"].message]);
    expect(await eve.refusal(getExperiment, { params: experiment })).toEqual(notFound);
    expect(await eve.refusal(updateExperiment, { params: experiment, body: { adopted: "a" } })).toEqual(notFound);
    await eve.call(deleteExperiment, { params: experiment });
    expect(await ada.call(listExperiments)).toHaveLength(1);
    await ada.call(deleteChannel, { params: { id: channelId } });
    expect(await api.query(`SELECT FROM experiments WHERE id = ${experiment.id}`)).toEqual([]);
  });

  it("is limited in number", async () => {
    await api.query(`INSERT INTO experiments (user_id, channel_id, marketplace, os, arms, ends_at)
      SELECT ${ada.user.id}, ${channelId}, 'de', 'ios', '${JSON.stringify({ a: A, b: B })}', now()
      FROM generate_series(1, 50)`);
    expect(await refusal()).toEqual([409, ERRORS["too-many-experiments"].message]);
  });
});

describe("the figures of an experiment", () => {
  const ENDED = ["2026-10-05", "2026-10-19"];
  const figuresOf = ({ id }: Experiment) => ada.call(getExperiment, { params: { id } });

  /** An experiment of the past, with visits and openings of its arms. */
  async function ended(changes = {}): Promise<Experiment> {
    const experiment = await start(changes);
    const { id } = experiment;
    await api.query(`
      UPDATE experiments SET starts_at = '${ENDED[0]}T12:00Z', ends_at = '${ENDED[1]}T12:00Z' WHERE id = ${id};
      SELECT create_click_partitions('2026-10-01');
      INSERT INTO user_clicks (user_id, day, counts) VALUES (${ada.user.id}, '2026-10-10', '${JSON.stringify({
        [`x:${id}a`]: "8:1500 9:500",
        [`x:${id}a-opened`]: "8:1200",
        [`x:${id}b`]: "8:2000",
        [`x:${id}b-opened`]: "8:900",
        "x:999a": "8:77",
      })}')
    `);
    return experiment;
  }

  const report = (kind: "orders" | "earnings" | "tracking", sales: object[], last = "2026-10-31") =>
    addReport(api, { userId: ada.user.id, kind, period: ["2026-10-01", last], sales: sales as [] });

  it("are those of Amazon's reports, by which the halves are compared once all days are reported", async () => {
    const experiment = await ended();
    const unknown = { openings: null, amazonClicks: null, orders: null, earnings: null, rate: null };
    expect(await figuresOf(experiment)).toMatchObject({
      figures: { a: { ...unknown, visits: 2_000, openings: 1_200 }, b: { ...unknown, visits: 2_000 } },
      currency: null,
      verdict: "unknown",
    });
    const ordered = [
      { day: "2026-10-09", tag: "blog-a-21", ordered: 100 },
      { day: "2026-10-20", tag: "BLOG-A-21", ordered: 20 },
      { day: "2026-10-21", tag: "blog-a-21", ordered: 1_000 },
      { day: "2026-10-09", tag: "blog-b-21", ordered: 60 },
    ];
    await report("orders", ordered, "2026-10-19");
    expect(await figuresOf(experiment)).toMatchObject({ verdict: "unknown", figures: { a: { orders: 100 } } });
    await report("orders", ordered);
    await report("earnings", [{ day: "2026-10-09", tag: "blog-a-21", earnings: 500, shipped: 1 }]);
    await report("tracking", [{ day: "2026-10-01", tag: "blog-b-21", clicks: 1_900 }]);
    expect(await figuresOf(experiment)).toMatchObject({
      figures: {
        a: { orders: 120, earnings: 500, amazonClicks: null, rate: { value: 0.06 } },
        b: { orders: 60, earnings: 0, amazonClicks: 1_900, rate: { value: 0.03 } },
      },
      currency: "EUR",
      verdict: "a",
    });
  });

  it("are also the channel's, and the link's that has the product", async () => {
    const link = await addLink({ channelId, usesChannelTag: true });
    await ended();
    await report("earnings", [
      { day: "2026-10-09", tag: "blog-b-21", asin: "B0ZZ1Y2X3W", earnings: 500 },
      { day: "2026-10-09", tag: "blog-b-21", asin: "B0OTHER000", earnings: 7 },
    ]);
    const query = { from: "2026-10-01", to: "2026-10-31", by: "link" } as const;
    const { rows } = await ada.call(getEarnings, { query });
    expect(rows.map(({ key, earnings }) => [key, earnings])).toEqual([
      [link.shortCode, 500],
      [String(channelId), 7],
    ]);
  });
});
