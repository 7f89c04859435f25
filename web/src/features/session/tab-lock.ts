const SESSION = "session";
const PROVIDER = "identity provider";

/** For login and sign-up forms. No other tab can open a session while `work` runs. */
export function withExclusiveTabLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock(SESSION, "exclusive", work);
}

/** Waits for a form in progress in another tab. */
export function withSharedTabLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock(SESSION, "shared", work);
}

/** For the start of the identity provider. No tab can sign out while `work` runs. */
export function withStartLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock(PROVIDER, "shared", work);
}

/** Waits for the starts of the identity provider in all tabs. None can begin while `work` runs. */
export function withSignOutLock<T>(work: () => Promise<T>): Promise<T> {
  return withTabLock(PROVIDER, "exclusive", work);
}

/** Over plain http, except on localhost, there is no Web Locks API. `work` then runs without a lock. */
async function withTabLock<T>(name: string, mode: LockMode, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(name, { mode }, work) : work();
}
