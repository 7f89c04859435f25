const RETRY_DELAY_MS = 30_000;

/**
 * Repeats failed work every half minute and whenever the browser is online again, until it succeeds.
 * @param canRetry called after each failure; false ends the attempts
 */
export async function keepTrying(work: () => Promise<unknown>, canRetry: (error: unknown) => boolean): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!canRetry(error)) return;
    }
    await nextChance();
  }
}

function nextChance(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      resolve();
    };
    const timer = setTimeout(go, RETRY_DELAY_MS);
    addEventListener("online", go);
  });
}
