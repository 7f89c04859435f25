import type * as z from "zod/mini";

/** What is promised of a job; the labour is a handler in the worker. */
export interface JobDefinition<
  Name extends string = string,
  Payload extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Names the job's queue too; without a colon. */
  name: Name;
  /** Holds nothing secret: job data lies open in Redis. */
  payload: Payload;
  /** How often it may throw before it is given up. The death of its worker does not count. */
  attempts: number;
  /** The pause before the second attempt; it doubles with each further one. */
  backoffMs: number;
  /** How many of it one worker works on at once; 1 unless said. */
  concurrency?: number;
  /** Then it runs by itself too, with the payload {}. */
  schedule?: { everyMs: number /** And whenever a worker starts. */; atStart?: boolean };
  /**
   * While a job waits or runs, another of the same id is dropped. It tells apart what is to be done
   * each time: a revision, an attempt.
   */
  dedupeId?(payload: z.output<Payload>): string;
}

/** All jobs by their names. */
export type JobCatalogue = Record<string, JobDefinition>;

export type JobPayload<Definition extends JobDefinition> = z.output<Definition["payload"]>;

export function defineJob<const Name extends string, Payload extends z.ZodMiniType>(
  definition: JobDefinition<Name, Payload>,
): JobDefinition<Name, Payload> {
  return definition;
}
