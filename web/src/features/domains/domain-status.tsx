import type { DnsRecord, Domain } from "@tapthru/proto/http/domains";
import { messages } from "@tapthru/proto/rules/messages";
import { CopyButton } from "../../components/copy-button.tsx";
import { formatDay, formatMinute } from "../../lib/dates.ts";

/** What a domain waits for or what is wrong with it, and what the user can do. */
export function DomainStatus({ domain }: { domain: Domain }) {
  const { state, problem, records, seen, checkedAt, offAt, certificateExpiresAt } = domain;
  const needsRecords =
    state === "waiting" ||
    state === "off" ||
    (problem !== null && PROBLEMS_OF_RECORDS.has(problem));
  return (
    <div className="mt-1 flex flex-col gap-3 leading-6">
      <div role="status" className="text-pretty wrap-anywhere">
        <p className={state === "failing" || state === "off" ? "text-danger" : ""}>
          {stateText(domain)}
        </p>
        {problem !== null && <p>{messages.domainProblems[problem]}</p>}
        {offAt !== null && <p>{messages.domainOffAt(formatDay(offAt))}</p>}
      </div>
      {needsRecords && (
        <>
          <Records title={messages.recordsToSet(records.length)} records={records} canCopy />
          <p className="text-sm text-pretty text-muted">{messages.recordNameHint}</p>
        </>
      )}
      {needsRecords && seen.length > 0 && (
        <Records title={messages.recordsSeen} records={seen} canCopy={false} />
      )}
      {checkedAt !== null && state !== "works" && (
        <p className="text-sm text-muted">{messages.domainCheckedAt(formatMinute(checkedAt))}</p>
      )}
      {state === "works" && certificateExpiresAt !== null && (
        <p className="text-sm text-muted">
          {messages.certificateUntil(formatDay(certificateExpiresAt))}
        </p>
      )}
    </div>
  );
}

/** Problems for which the DNS is to be changed. */
const PROBLEMS_OF_RECORDS: ReadonlySet<string> = new Set([
  "no-record",
  "wrong-record",
  "proof-missing",
]);

function stateText({ host, state, problem, checkedAt }: Domain): string {
  if (state !== "waiting") return messages.domainStateTexts[state](host);
  if (problem === null) return checkedAt === null ? messages.domainIsNew : messages.domainIsProved;
  return messages.domainWaits;
}

interface RecordsProps {
  title: string;
  records: readonly DnsRecord[];
  canCopy: boolean;
}

function Records({ title, records, canCopy }: RecordsProps) {
  return (
    <section aria-label={title}>
      <h4 className="mb-1.5 text-sm font-medium">{title}</h4>
      <ul className="flex flex-col gap-2">
        {records.map(({ type, name, value }) => (
          <li
            key={`${type} ${name} ${value}`}
            className="grid grid-cols-1 gap-x-4 rounded-xl bg-sunken px-4 py-2 sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)]"
          >
            <Part label={messages.recordType} text={type} />
            <Part
              label={messages.recordName}
              text={name}
              copy={canCopy && messages.copyRecordName}
            />
            <Part
              label={messages.recordValue}
              text={value}
              copy={canCopy && messages.copyRecordValue}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Part({ label, text, copy }: { label: string; text: string; copy?: string | false }) {
  return (
    <div className="min-w-0">
      <p className="text-xs text-muted">{label}</p>
      <div className="flex min-h-11 items-center gap-1">
        <code className="min-w-0 text-code wrap-anywhere">{text}</code>
        {copy && (
          <CopyButton
            text={text}
            label={copy}
            success={messages.recordCopied}
            failure={messages.failedToCopyRecord}
          />
        )}
      </div>
    </div>
  );
}
