/** What is wrong with an own domain, as its last check or order found. */
export const DOMAIN_PROBLEMS = [
  "no-record",
  /** The host leads elsewhere. */
  "wrong-record",
  /** Another user has, had or wants a host of the same registered domain, or its record does not name this site, and the TXT record is missing. */
  "proof-missing",
  "dns-unavailable",
  /** The record is right, and a request to http://host does not arrive here. */
  "http-unreachable",
  "caa-forbids",
  /** The limits of the certificate authority are used up for now. */
  "order-limit",
  "authority-unavailable",
  "order-refused",
  /** There is a certificate, and a request to https://host does not arrive here. */
  "https-unreachable",
] as const;
export type DomainProblem = (typeof DOMAIN_PROBLEMS)[number];

/**
 * `waiting`: for the DNS; `ordering`: the certificate; `works`; `failing`: it worked, and its checks fail since less than
 * DOMAIN_GRACE_MS; `off`: for longer.
 */
export const DOMAIN_STATES = ["waiting", "ordering", "works", "failing", "off"] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

export function canHaveLinks(state: DomainState): boolean {
  return state !== "waiting" && state !== "off";
}

/** The label of the host with the TXT record that proves that a user controls it. */
export const DOMAIN_PROOF_LABEL = "_tapthru";
