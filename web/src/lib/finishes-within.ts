/**
 * Waits for work, but at most this time.
 * @returns whether it has succeeded. Throws if it has failed. A later failure is ignored
 */
export async function finishesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: expired, resolve: expire } = Promise.withResolvers<false>();
  const timer = setTimeout(() => expire(false), ms);
  try {
    return await Promise.race([work.then(() => true), expired]);
  } finally {
    clearTimeout(timer);
  }
}
