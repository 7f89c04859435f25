/** The status that an admin port's page answers with; null where nobody answers within a second. */
export async function probe(adminPort: number, page: "livez" | "readyz"): Promise<number | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/${page}`, {
      signal: AbortSignal.timeout(1_000),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}
