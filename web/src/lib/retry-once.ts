import { isWorthRetrying } from "./http-client.ts";
import { wait } from "./wait.ts";

const PAUSE_MS = 1_000;

/** Makes a call once more after a pause, where that may help. */
export async function retryOnce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Error) || !isWorthRetrying(error)) throw error;
    await wait(PAUSE_MS);
    return call();
  }
}
