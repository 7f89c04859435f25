import type { FaultCase } from "../fault-case.ts";
import { redisKilled } from "./r01-redis-killed.ts";
import { redisUnresponsiveSlowOrCut } from "./r02-redis-unresponsive-slow-or-cut.ts";
import { coldLinksWithoutRedis } from "./r03-cold-links-without-redis.ts";
import { redisEmptied } from "./r04-redis-emptied.ts";
import { postgresKilled } from "./r05-postgres-killed.ts";
import { postgresUnresponsive } from "./r06-postgres-unresponsive.ts";
import { redisAndPostgresKilled } from "./r07-redis-and-postgres-killed.ts";
import { crashOfAnyProcess } from "./r08-crash-of-any-process.ts";
import { doubleSubmit } from "./r09-double-submit.ts";
import { changeOfAHotLink } from "./r10-change-of-a-hot-link.ts";
import { lateFill } from "./r11-late-fill.ts";
import { unknownCodes } from "./r12-unknown-codes.ts";
import { expiry } from "./r13-expiry.ts";
import { workerKilledMidJob } from "./r14-worker-killed-mid-job.ts";
import { queueRedisFull } from "./r15-queue-redis-full.ts";
import { crashBetweenCommitAndEnqueue } from "./r16-crash-between-commit-and-enqueue.ts";
import { rollingRestart } from "./r17-rolling-restart.ts";
import { startOrderAndProbes } from "./r18-start-order-and-probes.ts";
import { upstreamRestart } from "./r19-upstream-restart.ts";
import { diskFull } from "./r20-disk-full.ts";
import { slowClients } from "./r21-slow-clients.ts";
import { overload } from "./r22-overload.ts";
import { hostileAmazon } from "./r23-hostile-amazon.ts";
import { schemaChange } from "./r24-schema-change.ts";
import { soak } from "./r25-soak.ts";
import { coldFleetWithoutPostgres } from "./r26-cold-fleet-without-postgres.ts";
import { clicksDuringCrashes, DEFAULT_VISITS } from "./r27-clicks-during-crashes.ts";
import { regionCutOff } from "./r29-region-cut-off.ts";
import { masterOfAClusterKilled } from "./r30-master-of-a-cluster-killed.ts";

/** All fault cases in the order of their numbers. @param visits of R25 and R27 */
export const faultCases = (visits = DEFAULT_VISITS): readonly FaultCase[] => [
  redisKilled,
  redisUnresponsiveSlowOrCut,
  coldLinksWithoutRedis,
  redisEmptied,
  postgresKilled,
  postgresUnresponsive,
  redisAndPostgresKilled,
  crashOfAnyProcess,
  doubleSubmit,
  changeOfAHotLink,
  lateFill,
  unknownCodes,
  expiry,
  workerKilledMidJob,
  queueRedisFull,
  crashBetweenCommitAndEnqueue,
  rollingRestart,
  startOrderAndProbes,
  upstreamRestart,
  diskFull,
  slowClients,
  overload,
  hostileAmazon,
  schemaChange,
  soak(visits),
  coldFleetWithoutPostgres,
  clicksDuringCrashes(visits),
  regionCutOff,
  masterOfAClusterKilled,
];
