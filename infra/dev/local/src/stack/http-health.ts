/** Whether an HTTP server answers, with a status below 500 or just the one that is asked for. */
export async function respondsOverHttp(url: string, isGood = (status: number) => status < 500) {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return isGood(response.status);
  } catch {
    return false;
  }
}
