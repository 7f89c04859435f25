import * as z from "zod/mini";

const Advisory = z.object({
  title: z.string(),
  severity: z.string(),
  url: z.string(),
  vulnerable_versions: z.string(),
});
const Advisories = z.record(z.string(), z.array(Advisory));

interface Vulnerability {
  packageName: string;
  title: string;
  url: string;
  vulnerableVersions: string;
}

export type AuditResult =
  | { kind: "checked"; vulnerabilities: Vulnerability[] }
  | { kind: "could-not-run"; reason: string };

const FAILING_SEVERITIES = ["high", "critical"];
const TIMEOUT_MS = 30_000;

/**
 * Requests the known vulnerabilities of severity high and critical from the registry's bulk advisory endpoint. Many
 * mirrors do not have this endpoint. In that case, and without a response, the result is that the audit could not
 * run.
 */
export async function findAdvisories(
  registry: string,
  packages: ReadonlyMap<string, string[]>,
): Promise<AuditResult> {
  const url = new URL("-/npm/v1/security/advisories/bulk", withSlash(registry));
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(Object.fromEntries(packages)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return couldNotRun(`the registry responded ${response.status}`);
    const { success, data } = z.safeParse(Advisories, await response.json());
    if (!success) return couldNotRun("the registry's response is invalid");
    return { kind: "checked", vulnerabilities: failingOf(data) };
  } catch (error) {
    const { cause, message } = error as Error;
    return couldNotRun(cause instanceof Error ? cause.message : message);
  }
}

function failingOf(data: z.infer<typeof Advisories>): Vulnerability[] {
  return Object.entries(data).flatMap(([packageName, advisories]) =>
    advisories
      .filter(({ severity }) => FAILING_SEVERITIES.includes(severity))
      .map(({ title, url, vulnerable_versions: vulnerableVersions }) => ({
        packageName,
        title,
        url,
        vulnerableVersions,
      })),
  );
}

function couldNotRun(reason: string): AuditResult {
  return { kind: "could-not-run", reason };
}

function withSlash(registry: string): string {
  return registry.endsWith("/") ? registry : `${registry}/`;
}
