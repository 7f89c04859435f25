const LOCK = "session";

/** Nothing else opens a session in this browser meanwhile: a form is at work on one. */
export function aloneAmongTabs<T>(work: () => Promise<T>): Promise<T> {
  return locked("exclusive", work);
}

/** Waits for the form at work in another tab. */
export function afterOtherTabs<T>(work: () => Promise<T>): Promise<T> {
  return locked("shared", work);
}

/** Browsers offer no locks on plain http (but for localhost): tabs then go their own ways. */
async function locked<T>(mode: LockMode, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(LOCK, { mode }, work) : work();
}
