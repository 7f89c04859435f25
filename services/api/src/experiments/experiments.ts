import { addMassChange } from "@tapthru/core/links/mass-changes";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { channelHasNoTag } from "@tapthru/proto/channels";
import * as calls from "@tapthru/proto/experiments";
import { Experiment } from "@tapthru/proto/experiments";
import { EXPERIMENTS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { tagInUse } from "@tapthru/proto/stores";
import { sql } from "slonik";
import * as z from "zod/mini";
import { lockingUser } from "../callers/users.ts";
import { handlers } from "../calls/handlers.ts";
import { findTagUses, requireOwnChannel } from "../channels/channels.ts";
import { ApiError } from "../http/errors.ts";
import { experimentFigures } from "./figures.ts";

type Transaction = Db<"any" | "exists" | "maybeOne" | "one" | "query">;

export const experimentHandlers = handlers(calls, {
  listExperiments: ({ db }, { userId }) => findExperiments(db, userId),

  createExperiment: ({ db }, { userId, body }) =>
    lockingUser(db, userId, async (transaction) => {
      const experiments = await findExperiments(transaction, userId);
      await requireOwnChannel(transaction, { userId, channelId: body.channelId });
      if (experiments.length >= EXPERIMENTS_MAX_COUNT) throw new ApiError(calls.tooManyExperiments);
      requireFree(experiments, body);
      await requireTags(transaction, userId, body);
      const experiment = await insertExperiment(transaction, userId, body);
      await addMassChange(transaction, "routing", { channelId: body.channelId });
      return experiment;
    }),

  getExperiment: async (api, { userId, params: { id } }) =>
    experimentFigures(api, userId, requireExperiment(await findExperiments(api.db, userId), id)),

  updateExperiment: ({ db }, { userId, params: { id }, body: { adopted } }) =>
    lockingUser(db, userId, async (transaction) => {
      const experiments = await findExperiments(transaction, userId);
      const experiment = requireExperiment(experiments, id);
      const others = experiments.filter((other) => other !== experiment);
      if (adopted !== null) requireFree(others, experiment);
      const changed = await transaction.one(sql.type(Experiment)`
        UPDATE experiments SET ends_at = least(ends_at, now()), adopted = ${adopted} WHERE id = ${id} RETURNING ${columns}
      `);
      await addMassChange(transaction, "routing", { channelId: experiment.channelId });
      return changed;
    }),

  deleteExperiment: ({ db }, { userId, params: { id } }) =>
    lockingUser(db, userId, async (transaction) => {
      const experiments = await findExperiments(transaction, userId);
      const experiment = experiments.find((candidate) => candidate.id === id);
      if (experiment === undefined) return { id };
      await transaction.query(sql.type(z.object({}))`DELETE FROM experiments WHERE id = ${id}`);
      await addMassChange(transaction, "routing", { channelId: experiment.channelId });
      return { id };
    }),
});

const columns = sql.fragment`
  id, channel_id AS "channelId", marketplace, os, arms -> 'a' AS a, arms -> 'b' AS b, utc_text(starts_at) AS "startsAt",
  utc_text(ends_at) AS "endsAt", adopted
`;

export function findExperiments(db: Db<"any">, userId: number) {
  return db.any(sql.type(Experiment)`SELECT ${columns} FROM experiments WHERE user_id = ${userId} ORDER BY id DESC`);
}

function requireExperiment(experiments: readonly Experiment[], id: number): Experiment {
  const experiment = experiments.find((candidate) => candidate.id === id);
  if (experiment === undefined) throw new ApiError(calls.experimentNotFound);
  return experiment;
}

type Setup = Pick<Experiment, "channelId" | "marketplace" | "os" | "a" | "b">;

const isRunning = ({ endsAt }: Experiment) => Date.parse(endsAt) > Date.now();

/** Links open the app anyway. */
const hasAdopted = (experiment: Experiment) =>
  experiment.adopted !== null && experiment[experiment.adopted].way !== "app";

/** One experiment or adopted way of opening at a time for each channel, store and system. */
function requireFree(experiments: readonly Experiment[], { channelId, marketplace, os }: Setup): void {
  const isTaken = experiments
    .filter((other) => other.channelId === channelId && other.marketplace === marketplace && other.os === os)
    .some((other) => hasAdopted(other) || isRunning(other));
  if (isTaken) throw new ApiError(calls.experimentRunning);
}

/** @throws ApiError if a channel, a link or another experiment uses one of the tags, or the channel has none to follow */
async function requireTags(db: Transaction, userId: number, { channelId, marketplace, a, b }: Setup) {
  const tags = [a.tag.toLowerCase(), b.tag.toLowerCase()];
  const uses = await findTagUses(db, userId, marketplace);
  if (!uses.some((use) => use.channelId === channelId && !use.isArm)) throw new ApiError(channelHasNoTag);
  const isUsed = await db.exists(sql.type(z.object({}))`
    SELECT FROM unnest(${sql.array(tags, "text")}) AS of_arm (tag)
    WHERE EXISTS (
      SELECT FROM earlier_channel_tags AS earlier
      WHERE user_id = ${userId} AND marketplace = ${marketplace} AND channel_id <> ${channelId}
        AND lower(earlier.tag) = of_arm.tag
    ) OR EXISTS (
      SELECT FROM links WHERE user_id = ${userId} AND marketplace = ${marketplace} AND links.tag = of_arm.tag
    )
  `);
  if (isUsed || uses.some(({ tag }) => tags.includes(tag))) throw new ApiError(tagInUse);
}

function insertExperiment(transaction: Transaction, userId: number, body: Setup & { days: number }) {
  const { channelId, marketplace, os, a, b, days } = body;
  return transaction.one(sql.type(Experiment)`
    WITH arm AS (
      INSERT INTO earlier_channel_tags (user_id, marketplace, tag, channel_id)
      SELECT ${userId}, ${marketplace}, tag, ${channelId} FROM unnest(${sql.array([a.tag, b.tag], "text")}) AS tag
      ON CONFLICT DO NOTHING
    )
    INSERT INTO experiments (user_id, channel_id, marketplace, os, arms, ends_at)
    VALUES (${userId}, ${channelId}, ${marketplace}, ${os}, ${sql.jsonb({ a, b })}, now() + ${days} * interval '1 day')
    RETURNING ${columns}
  `);
}
