export const domainNoticeReasons: Record<DomainProblem, string> = {
  "no-record": "The DNS has no record of this domain any more.",
  "wrong-record": "The DNS record of this domain leads elsewhere.",
  proxied: "A proxy such as Cloudflare is in front of this domain. Set it to 'DNS only'.",
  "proof-missing": "The TXT record that proves that the domain is yours is missing.",
  "dns-unavailable": "The name servers of this domain do not respond.",
  "http-unreachable": "Requests to this domain do not arrive at the site.",
  "caa-forbids": "A CAA record of this domain forbids its new certificate. The current one ends soon.",
  "order-limit": "The domain needs a new certificate, but the limits of the authority are used up.",
  "authority-unavailable": "The domain needs a new certificate, but the authority does not respond.",
  "order-refused": "The domain needs a new certificate, but the authority refused it.",
  "https-unreachable": "Requests to this domain by https do not arrive at the site.",
};
export const DOMAIN_PROBLEMS = [
  "no-record",
  "wrong-record",
  /** The addresses are those of a proxy, which hides where the host leads. */
  "proxied",
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

/** `failing`: it worked, and its checks fail since less than DOMAIN_GRACE_MS; `off`: for longer. */
export const DOMAIN_STATES = ["waiting", "ordering", "works", "failing", "off"] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

export function canHaveLinks(state: DomainState): boolean {
  return state !== "waiting" && state !== "off";
}

/** The label of the host with the TXT record that proves that a user controls it. */
export const DOMAIN_PROOF_LABEL = "_tapthru";
