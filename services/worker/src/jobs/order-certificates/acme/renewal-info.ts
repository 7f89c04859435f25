import type { X509Certificate } from "node:crypto";

/** The object identifier of the extension authorityKeyIdentifier in DER. */
const AUTHORITY_KEY_IDENTIFIER = Buffer.from("0603551d23", "hex");
const KEY_IDENTIFIER_TAG = 0x80;

/**
 * How RFC 9773 names a certificate: the identifier of its authority's key, and its serial number.
 * @returns null for a certificate without that identifier
 */
export function certificateId({ raw, serialNumber }: Pick<X509Certificate, "raw" | "serialNumber">): string | null {
  const at = raw.indexOf(AUTHORITY_KEY_IDENTIFIER);
  if (at === -1) return null;
  // An octet string with a sequence, whose first element it is. The lengths are below 128 and take one byte each.
  const value = raw.subarray(at + AUTHORITY_KEY_IDENTIFIER.length);
  const [, , , , tag, length = 0] = value;
  if (tag !== KEY_IDENTIFIER_TAG) return null;
  const keyIdentifier = value.subarray(6, 6 + length);
  const hex = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  // DER has a zero before a number whose first bit is set.
  const serial = Buffer.from(Number.parseInt(hex.slice(0, 2), 16) >= 0x80 ? `00${hex}` : hex, "hex");
  return `${keyIdentifier.toString("base64url")}.${serial.toString("base64url")}`;
}
