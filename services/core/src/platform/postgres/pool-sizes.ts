/** The most connections to Postgres that one process of each program has. */
export const POOL_SIZES = {
  api: 10,
  redirect: 10,
  worker: 10,
} as const;

/** Further connections of an api, for what adds up the clicks of all links of a user. */
export const REPORT_CONNECTIONS = 2;

/** Further connections of an api, of the library with which people log in. */
export const IDENTITY_CONNECTIONS = 3;
