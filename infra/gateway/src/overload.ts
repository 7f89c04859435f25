/** So many requests a replica works on at once; that is a small part of a second's work. */
export const AT_WORK_PER_REPLICA = { api: 128, redirect: 512 };

/** For the http block: requests at work are counted by $area. */
export const COUNT_AT_WORK = `
limit_conn_zone $area zone=at_work:1m;
limit_conn_log_level info;`;

/**
 * For a location: what its service cannot take is refused with 503 at once, so that an overload costs
 * others no time.
 */
export function refuseBeyond(perReplica: number, replicas: number): string {
  return `limit_conn at_work ${perReplica * Math.max(replicas, 1)};`;
}
