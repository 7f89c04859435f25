/** Returns true if an HTTP server responds with the status, by default with any below 500. */
export async function respondsOverHttp(url: string, expectedStatus?: number): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    const { status } = response;
    return expectedStatus === undefined ? status < 500 : status === expectedStatus;
  } catch {
    return false;
  }
}
