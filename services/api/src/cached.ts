/** Calls `read` at most once in `lifetimeMs`, and again after a failure. Callers in between share the result. */
export function cached<T>(
  lifetimeMs: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let result: Promise<T> | null = null;
  let expiresAt = 0;

  return () => {
    if (result !== null && now() < expiresAt) return result;
    const current = read();
    result = current;
    expiresAt = now() + lifetimeMs;
    current.catch(() => {
      if (result === current) result = null;
    });
    return current;
  };
}
