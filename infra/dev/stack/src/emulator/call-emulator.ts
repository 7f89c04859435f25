/** The ports of the emulator on the loopback interface, and its project. */
export interface EmulatorAddress {
  projectId: string;
  port: number;
  hubPort: number;
}

/**
 * Sends an administrative request.
 * @throws TypeError when the emulator is unavailable
 */
export async function callEmulator(
  port: number,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    signal: AbortSignal.timeout(10_000),
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`The emulator responded to ${path} with ${response.status} ${text}`);
  return JSON.parse(text);
}
