import { findShortHost, findStore } from "@tapthru/proto/rules/amazon/hosts";
import { isPublicHostName } from "@tapthru/proto/rules/webhooks";

/** The Creators API and its token endpoints, one for each region. */
const CREATORS_API_HOSTS: ReadonlySet<string> = new Set([
  "creatorsapi.amazon",
  "api.amazon.com",
  "api.amazon.co.uk",
  "api.amazon.co.jp",
]);

/** The purposes of outgoing requests, each with its allowed hosts, in lower case. */
const IS_ALLOWED_HOST = {
  store: (host) => findStore(host) !== null,
  short: (host) => findShortHost(host) !== null,
  "creators-api": (host) => CREATORS_API_HOSTS.has(host),
  "login-with-amazon": (host) => host === "api.amazon.com",
  // Chosen by users. An address in numbers would be connected to without a look-up, and so without its check.
  webhook: isPublicHostName,
  domain: isPublicHostName,
} satisfies Record<string, (host: string) => boolean>;

export type Purpose = keyof typeof IS_ALLOWED_HOST;

/** Whether requests for the purpose may be sent to this address, before its host is looked up. */
export function isAllowedUrl(url: URL, purpose: Purpose): boolean {
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    IS_ALLOWED_HOST[purpose](url.hostname)
  );
}
