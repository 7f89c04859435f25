/** Why a service refuses to be ready, in its own words; null when it is ready. */
export async function readinessReason(adminPort: number): Promise<string | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
    const sentence = await answer.text();
    return answer.ok ? null : sentence.trim();
  } catch {
    return "does not answer";
  }
}
