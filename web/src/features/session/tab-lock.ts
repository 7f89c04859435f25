const LOCK_NAME = "session";

/** For login and sign-up forms. No other tab can open a session while `work` runs. */
export function withExclusiveTabLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock("exclusive", work);
}

/** Waits for a form in progress in another tab. */
export function withSharedTabLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock("shared", work);
}

/** Over plain http, except on localhost, there is no Web Locks API. `work` then runs without a lock. */
async function withTabLock<T>(mode: LockMode, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(LOCK_NAME, { mode }, work) : work();
}
