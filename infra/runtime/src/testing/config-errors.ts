import { vi } from "vitest";

/**
 * The messages with which a service refuses these settings; none if it starts. The settings stay until
 * `vi.unstubAllEnvs`.
 * @param environment undefined: the setting is not set
 */
export function configErrors(
  readConfig: () => unknown,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    readConfig();
  } catch (error) {
    const [, ...messages] = String(error).split("\n");
    if (messages.length === 0) throw error;
    return messages;
  }
  return [];
}
