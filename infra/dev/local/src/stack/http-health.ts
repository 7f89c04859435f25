/** Whether an HTTP server responds with a good status, by default any below 500. */
export async function respondsOverHttp(url: string, isGood = (status: number) => status < 500) {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return isGood(response.status);
  } catch {
    return false;
  }
}
