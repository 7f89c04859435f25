import type { DomainProblem } from "../domains.ts";

/** The email to the owner of a domain that stopped working. */
export const domainNotice = (host: string, reason: string, productName: string, url: string) => ({
  subject: `Your domain ${host} has a problem`,
  text: `${reason}\n\nAs long as this is so, links on ${host} may not open. ${productName} turns the domain off after seven days; its links then open under the site's own address only. Here is what to do:\n\n${url}`,
});

export const domainNoticeReasons: Record<DomainProblem, string> = {
  "no-record": "The DNS has no record of this domain any more.",
  "wrong-record": "The DNS record of this domain leads elsewhere.",
  "proof-missing": "The TXT record that proves that the domain is yours is missing.",
  "dns-unavailable": "The name servers of this domain do not respond.",
  "http-unreachable": "Requests to this domain do not arrive at the site.",
  "caa-forbids": "A CAA record of this domain forbids its new certificate. The present one ends soon.",
  "order-limit": "The domain needs a new certificate, and the limits of the authority are used up.",
  "authority-unavailable": "The domain needs a new certificate, and the authority does not respond.",
  "order-refused": "The domain needs a new certificate, and the authority refused it.",
  "https-unreachable": "Requests to this domain by https do not arrive at the site.",
};
