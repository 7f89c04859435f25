import type { FastifyRequest } from "fastify";

/** What a visit needs to know of its request. `ip` is that of the visitor. */
export type VisitRequest = Pick<FastifyRequest, "method" | "url" | "headers"> & {
  /** It is computed at each read, and unknown after the client has disconnected. */
  readonly ip: string | undefined;
};
