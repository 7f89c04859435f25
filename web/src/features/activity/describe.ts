import type { Activity } from "@tapthru/proto/http/activity";
import * as texts from "@tapthru/proto/rules/messages/activity";
import { formatMinute } from "../../lib/dates.ts";

type Columns = Activity["before"];

/** What happened, such as "Link changed". */
export function actionText({ action }: Activity): string {
  const [kind = "", ...verb] = action.split(".");
  return [texts.objectKinds[kind] ?? wordsOf(kind), ...verb.map(spaced)].join(" ");
}

/** Who did it, for the owner of the object. */
export function actorText({ actor, actorName }: Activity): string {
  const name = actor === "job" || actor === "command" ? null : actorName;
  return [texts.actorsForOwner[actor], ...(name === null ? [] : [name])].join(" ");
}

export interface Change {
  name: string;
  /** Null: the object was created. */
  before: string | null;
  /** Null: the object was deleted. */
  after: string | null;
}

/** What changed. Of a new or deleted object only what it has beside its name. */
export function changesOf({ action, object, before, after }: Activity): Change[] {
  const isState = (name: string) => action.startsWith("account.") && name === "state";
  const textIn = (columns: Columns, name: string) =>
    columns &&
    ((isState(name) && texts.accountStates[String(columns[name])]) || valueText(columns[name]));
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .filter((name) => {
      const value = valueText((before ?? after)?.[name]);
      return (before && after) || (value !== object && value !== texts.noValue);
    })
    .map((name) => ({
      name: texts.columnNames[name] ?? wordsOf(name),
      before: textIn(before, name),
      after: textIn(after, name),
    }));
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return texts.noValue;
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (Array.isArray(value)) return value.map(valueText).join(", ") || texts.noValue;
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => `${name}: ${valueText(part)}`);
    return parts.join(", ") || texts.noValue;
  }
  const text = String(value);
  return TIME.test(text) && !Number.isNaN(Date.parse(text)) ? formatMinute(text) : text;
}

/** "store_tags" and "storeTags" become "Store tags". */
function wordsOf(name: string): string {
  const words = spaced(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function spaced(name: string): string {
  return name.replace(/[-_]/g, " ");
}
