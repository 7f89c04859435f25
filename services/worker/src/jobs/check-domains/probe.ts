import { randomBytes } from "node:crypto";
import type { DomainProbe } from "@tapthru/core/platform/safe-fetch/domain-probe";

/** Returns true if http://host leads to this site. Only those who control the host can make another server respond so. */
export async function arrivesByHttp(
  probe: Pick<DomainProbe, "http">,
  host: string,
  thumbprint: string,
): Promise<boolean> {
  const token = randomBytes(16).toString("base64url");
  try {
    const { status, body } = await probe.http(host, `/.well-known/acme-challenge/${token}`);
    return status === 200 && body.bytes.toString() === `${token}.${thumbprint}`;
  } catch {
    return false;
  }
}

/** Returns true if https://host has a valid certificate. The request is not counted as a visit. */
export async function hasValidCertificate(probe: Pick<DomainProbe, "https">, host: string): Promise<boolean> {
  try {
    await probe.https(host, "/robots.txt");
    return true;
  } catch {
    return false;
  }
}
