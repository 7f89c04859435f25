import type { DnsRecord, Domain } from "@tapthru/proto/domains";
import { CopyButton } from "../../components/copy-button.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";

export const DOMAIN_PROBLEMS = {
  "no-record": "We find no record for this name.",
  "wrong-record": "The name has a record that leads elsewhere. Please replace it.",
  proxied: "A proxy (Cloudflare) is in front of this name and hides its record. Please set it to 'DNS only' there.",
  "proof-missing":
    "Another account may have a claim to this domain, or its record is an address and not a CNAME. Please also set the TXT record, which proves that it is yours.",
  "dns-unavailable": "The DNS of this domain did not respond. We will try again.",
  "http-unreachable":
    "The record is right, but requests to port 80 do not arrive here. If a proxy such as Cloudflare is in front, set it to 'DNS only'.",
  "caa-forbids":
    "A CAA record of the domain does not allow our certificate authority. Please add letsencrypt.org to it, or remove it.",
  "order-limit": "The certificate authority accepts no more orders for now. We will try again automatically.",
  "authority-unavailable": "The certificate authority did not respond. We will try again automatically.",
  "order-refused": "The certificate authority refused to issue a certificate. We will try again later.",
  "https-unreachable":
    "There is a certificate, but requests to port 443 do not arrive here. Please turn off a proxy in front of the domain.",
};

const DOMAIN_STATE_TEXTS = {
  ordering: (host: string) =>
    `The record of ${host} is right. Its certificate is being ordered, which takes about a minute.`,
  works: (host: string) => `Links open under https://${host}.`,
  failing: (host: string) => `${host} worked before, but has a problem now.`,
  off: (host: string) =>
    `${host} had a problem for a week and was turned off. Set the record and select 'Check now' to use it again.`,
};

export function DomainStatus({ domain }: { domain: Domain }) {
  const { state, problem, records, seen, checkedAt, offAt, certificateExpiresAt } = domain;
  const needsRecords = state === "waiting" || state === "off" || (problem !== null && PROBLEMS_OF_RECORDS.has(problem));
  return (
    <div className="mt-1 flex flex-col gap-3 leading-6">
      <div role="status" className="text-pretty wrap-anywhere">
        <p className={state === "failing" || state === "off" ? "text-danger" : ""}>{stateText(domain)}</p>
        {problem !== null && <p>{DOMAIN_PROBLEMS[problem]}</p>}
        {offAt !== null && <p>{`Without a change the domain is turned off on ${formatDay(offAt)}.`}</p>}
      </div>
      {needsRecords && (
        <>
          <Records
            title={records.length === 1 ? "The record to set" : "The records to set"}
            records={records}
            canCopy
          />
          <p className="text-sm text-pretty text-muted">
            Some providers want the name without your domain: "go" for go.example.com, "@" for example.com itself, where
            ALIAS or ANAME often replaces CNAME.
          </p>
        </>
      )}
      {needsRecords && seen.length > 0 && <Records title="What we see" records={seen} canCopy={false} />}
      {checkedAt !== null && state !== "works" && (
        <p className="text-sm text-muted">{`Checked ${formatMinute(checkedAt)}`}</p>
      )}
      {state === "works" && certificateExpiresAt !== null && (
        <p className="text-sm text-muted">
          {`Its certificate is valid until ${formatDay(certificateExpiresAt)}, and will be renewed before then.`}
        </p>
      )}
    </div>
  );
}

const PROBLEMS_OF_RECORDS: ReadonlySet<string> = new Set(["no-record", "wrong-record", "proxied", "proof-missing"]);

function stateText({ host, state, problem, checkedAt }: Domain): string {
  if (state !== "waiting") return DOMAIN_STATE_TEXTS[state](host);
  if (problem === null)
    return checkedAt === null
      ? "We are looking for the record now."
      : "The record is right. We are verifying that requests arrive here.";
  return "Set the record at your DNS provider. We keep looking for it; this page shows when it is right.";
}

function Records({ title, records, canCopy }: { title: string; records: readonly DnsRecord[]; canCopy: boolean }) {
  return (
    <section aria-label={title}>
      <h4 className="mb-1.5 text-sm font-medium">{title}</h4>
      <ul className="divide-y divide-line border-y border-line">
        {records.map(({ type, name, value }) => (
          <li
            key={`${type} ${name} ${value}`}
            className="grid grid-cols-1 gap-x-4 py-2 sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)]"
          >
            <Part label="Type" text={type} />
            <Part label="Name" text={name} copy={canCopy && "Copy name"} />
            <Part label="Value" text={value} copy={canCopy && "Copy value"} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Part({ label, text, copy }: { label: string; text: string; copy?: string | false }) {
  return (
    <div className="min-w-0">
      <p className="text-sm text-muted">{label}</p>
      <div className="flex min-h-11 items-center gap-1">
        <code className="min-w-0 text-sm wrap-anywhere">{text}</code>
        {copy && <CopyButton text={text} label={copy} failure="Failed to copy. Please select and copy it yourself." />}
      </div>
    </div>
  );
}
