import type { DatabasePool, DatabasePoolConnection } from "slonik";

export interface Lease {
  connection: DatabasePoolConnection;
  giveBack(): void;
  /** For a connection that is broken or still at work: it is closed, another takes its place. */
  discard(): void;
}

/** Waits for a connection of the pool as long as it takes. */
export function lease(pool: DatabasePool): Promise<Lease> {
  const leased = Promise.withResolvers<Lease>();
  const returned = Promise.withResolvers<void>();
  pool
    .connect((connection) => {
      leased.resolve({
        connection,
        giveBack: returned.resolve,
        discard: () => returned.reject(new Error("discarded")),
      });
      return returned.promise;
    })
    .catch(leased.reject);
  return leased.promise;
}
