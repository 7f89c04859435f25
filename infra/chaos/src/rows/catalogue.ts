import type { Row } from "../row.ts";
import { crashOfAnyProcess } from "./r08-crash-of-any-process.ts";
import { workerKilledMidJob } from "./r14-worker-killed-mid-job.ts";
import { queueRedisFull } from "./r15-queue-redis-full.ts";
import { crashBetweenCommitAndEnqueue } from "./r16-crash-between-commit-and-enqueue.ts";
import { hostileAmazon } from "./r23-hostile-amazon.ts";

/** Every row there is, in the order of the table. */
export const ROWS: readonly Row[] = [
  crashOfAnyProcess,
  workerKilledMidJob,
  queueRedisFull,
  crashBetweenCommitAndEnqueue,
  hostileAmazon,
];
