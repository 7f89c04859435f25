import type { FieldChange, RowChange } from "@tapthru/proto/rules/app-opening/table-changes";
import type { TableOrigin } from "@tapthru/proto/rules/app-opening/table-history";
import { messages } from "@tapthru/proto/rules/messages";
import { Details } from "../../components/ui/details.tsx";
import { formatUtcDay } from "../../lib/dates.ts";
import { formatShare } from "../../lib/locale-formats.ts";

/** What a version of the strategy table changed. Undefined: this is not known. */
export function TableChanges({ origin }: { origin: TableOrigin | undefined }) {
  if (origin === undefined) return <Sentence text={messages.unknownTable} />;
  const { previous, changes } = origin;
  if (previous === null) return <Sentence text={messages.firstTable} />;
  if (changes.length === 0) return <Sentence text={messages.noRuleChanged(previous)} />;
  return (
    <div className="mt-1">
      <Details
        summary={messages.rulesChanged(changes.length, previous)}
        openSummary={messages.hideRulesChanged(previous)}
      >
        <ul className="flex flex-col gap-5 border-s-2 border-line ps-4 text-md">
          {changes.map((change) => (
            <ChangedRow key={change.id} change={change} />
          ))}
        </ul>
      </Details>
    </div>
  );
}

function Sentence({ text }: { text: string }) {
  return <p className="mt-1 max-w-2xl text-md text-pretty">{text}</p>;
}

function ChangedRow({ change: { kind, id, app, os, fields } }: { change: RowChange }) {
  const name = messages.appOnSystem(messages.appNames[app] ?? app, messages.devices[os]);
  return (
    <li>
      <h4 className="font-medium wrap-anywhere">
        {messages.ruleChanges[kind]}: {name}
        <span className="ms-2 text-sm font-normal text-muted">({id})</span>
      </h4>
      {fields.length > 0 && (
        <dl className="grid max-w-2xl gap-x-4 sm:mt-2 sm:grid-cols-[--spacing(36)_1fr] sm:gap-y-2">
          {fields.map((field) => (
            <ChangedField key={field.field} change={field} isNew={kind === "added"} />
          ))}
        </dl>
      )}
    </li>
  );
}

function ChangedField({ change, isNew }: { change: FieldChange; isNew: boolean }) {
  const { field } = change;
  const [from, to] = [change.from, change.to].map((value) => valueText(field, value));
  return (
    <>
      <dt className="mt-2 text-muted sm:mt-0">{messages.ruleFields[field]}</dt>
      <dd className="leading-6 wrap-anywhere">
        {!isNew && <p className="text-muted">{messages.ruleValueBefore(`${from}`)}</p>}
        <p>{isNew ? to : messages.ruleValueNow(`${to}`)}</p>
      </dd>
    </>
  );
}

function valueText(field: FieldChange["field"], value: string | number | null): string {
  if (value === null) return messages.noRuleValue;
  if (typeof value === "number") return formatShare(value / 100);
  if (field === "checked") return formatUtcDay(value);
  return messages.ruleValues[field]?.[value] ?? value;
}
