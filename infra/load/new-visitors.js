import { BASE_URL, OPEN, RUN, steady } from "./load.js";
import { createLinks, deleteLinks, openLink, PEOPLE, popularLink } from "./steps/links.js";

// 200 (RATE) visitors a second open one link each, every one on a connection of their own: over https with a handshake. Most of the
// time is TLS. k6 trusts the certificate of a trial: its BASE_URL is on this machine.
export const options = {
  scenarios: { open: steady(200) },
  thresholds: { ...OPEN, ...RUN },
  noConnectionReuse: true,
  insecureSkipTLSVerify: /^https:\/\/(localhost|127\.0\.0\.1|[^/]*\.localhost)(:|$)/.test(BASE_URL),
};
export { createLinks as setup, deleteLinks as teardown };

export default function visit(links) {
  openLink(links, popularLink(links), PEOPLE);
}
