const LOCK_NAME = "session";

/** Nothing else opens a session in this browser meanwhile: a form is at work on one. */
export function withExclusiveTabLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock("exclusive", work);
}

/** Waits for the form at work in another tab. */
export function withSharedTabLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock("shared", work);
}

/** Browsers offer no locks on plain http (but for localhost): tabs then go their own ways. */
async function withTabLock<T>(mode: LockMode, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(LOCK_NAME, { mode }, work) : work();
}
