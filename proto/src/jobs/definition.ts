import type * as z from "zod/mini";

export interface JobDefinition<Payload extends z.ZodMiniType = z.ZodMiniType> {
  /** Must not contain secrets: Redis stores it as plain text. */
  payload: Payload;
  /** Attempts before the job fails for good. The crash of a worker does not count. */
  attempts: number;
  /** Delay before the second attempt; doubles with each further one. */
  backoffMs: number;
  /** Jobs of this kind that one worker runs at once; 1 by default. */
  concurrency?: number;
  /** How often it runs with the payload {}; `isAlone`: one at a time over all workers. */
  schedule?: { everyMs: number; isAlone?: boolean };
  /** While so many jobs wait that would run before it, another one is dropped: something finds its work again. */
  maxAhead?: number;
  /**
   * While a job with this id is waiting or running, another one is dropped. Include what distinguishes two runs: a
   * revision, an attempt.
   */
  dedupeId?(payload: z.output<Payload>): string;
}

/** All jobs by name, which is also the name of the queue; it must not contain a colon. */
export type JobCatalogue = Record<string, JobDefinition>;

export type JobPayload<Definition extends JobDefinition> = z.output<Definition["payload"]>;

export function defineJob<Payload extends z.ZodMiniType>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition;
}
