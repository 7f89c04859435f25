import * as z from "zod/mini";
import { resource } from "./call.ts";
import { channelHasNoTag, channelNotFound } from "./channels.ts";
import { marketplace, numberText, rowId, tag } from "./fields.ts";
import { error } from "./rules/error.ts";
import { OPENING_WAYS } from "./rules/experiments.ts";
import { tagInUse } from "./stores.ts";

const EXPERIMENT_MAX_DAYS = 90;

const Arm = z.strictObject({ tag, way: z.enum(OPENING_WAYS) });
const arm = z.enum(["a", "b"]);

const Setup = z.strictObject({
  channelId: rowId,
  marketplace,
  os: z.enum(["ios", "android"]),
  a: Arm,
  b: Arm,
});

/** Visitors of a channel's links on one system, half of whom get the tag and the way of opening of each arm. */
export const Experiment = z.extend(Setup, {
  id: z.int(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** The arm whose way all visitors get, with the channel's tag. Null: none. */
  adopted: z.nullable(arm),
});
export type Experiment = z.infer<typeof Experiment>;

/** Null: reports, or pages, do not say it. Earnings are in the smallest unit of the currency. */
const ArmFigures = z.object({
  visits: z.int(),
  openings: z.nullable(z.int()),
  amazonClicks: z.nullable(z.int()),
  orders: z.nullable(z.int()),
  earnings: z.nullable(z.int()),
  /** Orders for each visit, with an interval of 95 %. */
  rate: z.nullable(z.object({ value: z.number(), low: z.number(), high: z.number() })),
});

export const ExperimentFigures = z.extend(Experiment, {
  figures: z.object({ a: ArmFigures, b: ArmFigures }),
  currency: z.nullable(z.string()),
  /** `unknown`: it is too early, or there are too few orders. */
  verdict: z.enum(["a", "b", "no-difference", "unknown"]),
});
export type ExperimentFigures = z.infer<typeof ExperimentFigures>;

export const experimentNotFound = error("experiment-not-found", 404, "Experiment not found.");
export const experimentRunning = error(
  "experiment-running",
  409,
  "The channel has an experiment, or what it adopted, for this store and system. End that first.",
);
export const tooManyExperiments = error(
  "too-many-experiments",
  409,
  "You have as many experiments as possible. Delete an old one first.",
);

const experiments = resource("Channels", { reads: "links:read", writes: "links:write" });

const SETUP = {
  channelId: 3,
  marketplace: "de",
  os: "ios",
  a: { tag: "anna-app-21", way: "app" },
  b: { tag: "anna-web-21", way: "browser" },
} as const;
export const EXAMPLE_EXPERIMENT: Experiment = {
  id: 7,
  ...SETUP,
  adopted: null,
  startsAt: "2026-11-01T12:00:00.000Z",
  endsAt: "2026-11-29T12:00:00.000Z",
};
const exampleParams = { id: "7" };
const FIGURES = { visits: 2000, openings: 1240, amazonClicks: 1310, orders: 120, earnings: 8412 };
const RATES = { a: { value: 0.06, low: 0.0502, high: 0.0717 }, b: { value: 0.031, low: 0.0242, high: 0.0397 } };
export const EXAMPLE_FIGURES: ExperimentFigures = {
  ...EXAMPLE_EXPERIMENT,
  figures: {
    a: { ...FIGURES, rate: RATES.a },
    b: { ...FIGURES, openings: null, orders: 62, earnings: 4120, rate: RATES.b },
  },
  currency: "EUR",
  verdict: "a",
};

export const listExperiments = experiments.get("/api/experiments", {
  summary: "List experiments",
  description:
    "An experiment gives half of a channel's visitors on one system one way of opening with one tag, and the other half another, by chance for each visit. The newest comes first.",
  replies: { 200: z.array(Experiment) },
  example: { replies: { 200: [EXAMPLE_EXPERIMENT] } },
});

export const createExperiment = experiments.post("/api/experiments", {
  summary: "Start an experiment",
  description:
    "Links that follow the channel's tag in the store are in it. `way`: `app` opens the app as the strategy table says, `tap` only after a tap, `browser` opens the store at once. Use tracking IDs that no channel, link or other experiment uses, or used within the last two days.",
  body: z.extend(Setup, { days: z.int().check(z.gte(1), z.lte(EXPERIMENT_MAX_DAYS)) }).check(
    z.refine(({ a, b }) => a.tag.toLowerCase() !== b.tag.toLowerCase(), {
      path: ["b", "tag"],
      error: "Use another tag than for the first half.",
    }),
  ),
  replies: { 201: Experiment },
  errors: [channelHasNoTag, channelNotFound, experimentRunning, tagInUse, tooManyExperiments],
  records: "experiment.created",
  example: { body: { ...SETUP, days: 28 }, replies: { 201: EXAMPLE_EXPERIMENT } },
});

const params = z.object({ id: numberText(/^\d{1,9}$/, experimentNotFound.message) });

export const getExperiment = experiments.get("/api/experiments/:id", {
  summary: "Get the figures of an experiment",
  description:
    "Orders, earnings and Amazon's clicks are those of the imported reports. The arms are compared by orders for each visit after the end, once reports cover the time from the start to the day after it.",
  access: "earnings:read",
  params,
  replies: { 200: ExperimentFigures },
  errors: [experimentNotFound],
  example: { params: exampleParams, replies: { 200: EXAMPLE_FIGURES } },
});

export const updateExperiment = experiments.patch("/api/experiments/:id", {
  summary: "End an experiment",
  description:
    "`adopted`: the arm whose way of opening all visitors get from now on, with the channel's tag; null: none.",
  params,
  body: z.strictObject({ adopted: z.nullable(arm) }),
  replies: { 200: Experiment },
  errors: [experimentNotFound, experimentRunning],
  records: "experiment.changed",
  example: { params: exampleParams, body: { adopted: "a" }, replies: { 200: { ...EXAMPLE_EXPERIMENT, adopted: "a" } } },
});

export const deleteExperiment = experiments.delete("/api/experiments/:id", {
  summary: "Delete an experiment",
  description: "Also ends it, and what was adopted. Also succeeds if the user has no such experiment.",
  params,
  replies: { 200: z.object({ id: z.int() }) },
  records: "experiment.deleted",
  example: { params: exampleParams, replies: { 200: { id: 7 } } },
});
