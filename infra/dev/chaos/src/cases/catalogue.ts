import type { FaultCase } from "../fault-case.ts";
import { redisKilled } from "./r01-redis-killed.ts";
import { redisHungSlowOrCut } from "./r02-redis-hung-slow-or-cut.ts";
import { coldLinksWithoutRedis } from "./r03-cold-links-without-redis.ts";
import { redisEmptied } from "./r04-redis-emptied.ts";
import { postgresKilled } from "./r05-postgres-killed.ts";
import { postgresHung } from "./r06-postgres-hung.ts";
import { redisAndPostgresKilled } from "./r07-redis-and-postgres-killed.ts";
import { crashOfAnyProcess } from "./r08-crash-of-any-process.ts";
import { changeOfAHotLink } from "./r10-change-of-a-hot-link.ts";
import { lateFill } from "./r11-late-fill.ts";
import { unknownCodes } from "./r12-unknown-codes.ts";
import { expiry } from "./r13-expiry.ts";
import { workerKilledMidJob } from "./r14-worker-killed-mid-job.ts";
import { queueRedisFull } from "./r15-queue-redis-full.ts";
import { crashBetweenCommitAndEnqueue } from "./r16-crash-between-commit-and-enqueue.ts";
import { rollingRestart } from "./r17-rolling-restart.ts";
import { orderAndProbes } from "./r18-order-and-probes.ts";
import { upstreamMoves } from "./r19-upstream-moves.ts";
import { slowClients } from "./r21-slow-clients.ts";
import { overload } from "./r22-overload.ts";
import { hostileAmazon } from "./r23-hostile-amazon.ts";
import { schemaChange } from "./r24-schema-change.ts";
import { coldFleetWithoutPostgres } from "./r26-cold-fleet-without-postgres.ts";

/** Every row there is, in the order of the table. */
export const ROWS: readonly FaultCase[] = [
  redisKilled,
  redisHungSlowOrCut,
  coldLinksWithoutRedis,
  redisEmptied,
  postgresKilled,
  postgresHung,
  redisAndPostgresKilled,
  crashOfAnyProcess,
  changeOfAHotLink,
  lateFill,
  unknownCodes,
  expiry,
  workerKilledMidJob,
  queueRedisFull,
  crashBetweenCommitAndEnqueue,
  rollingRestart,
  orderAndProbes,
  upstreamMoves,
  slowClients,
  overload,
  hostileAmazon,
  schemaChange,
  coldFleetWithoutPostgres,
];
