/** The readiness reason of a service; null when it is ready. */
export async function readinessReason(adminPort: number): Promise<string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
    const reason = await response.text();
    return response.ok ? null : reason.trim();
  } catch {
    return "does not respond";
  }
}
