/** The status of a health check on an admin port; null without a response within a second. */
export async function probe(adminPort: number, page: "livez" | "readyz"): Promise<number | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${adminPort}/${page}`, {
      signal: AbortSignal.timeout(1_000),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
