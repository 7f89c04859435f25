import type { Activity, ActorKind } from "@tapthru/proto/activity";
import { formatMinute } from "../../lib/dates.ts";

const ACTOR_NAMES: Record<ActorKind, string> = {
  user: "You",
  key: "API key",
  mcp: "Assistant with the API key",
  operator: "An operator of this site",
  visitor: "A visitor",
  job: "This site:",
  command: "The server's command line:",
};

/** Kinds of objects, and columns, whose names do not say enough. Others are shown as they are. */
const NAMES: Record<string, string | undefined> = {
  "amazon-ads-connection": "Connection to Amazon Ads",
  colour: "Color",
  hsts: "Only https",
  key: "API key",
  "onelink-store": "OneLink store",
  routing: "Visitors' stores",
  previous_secret_until: "Earlier secret until",
  "two-factor": "Two-factor login",
  untagged_code: "Link without tag",
  url: "Address",
  web_url: "Destination",
  weekly_email: "Weekly email",
};

/** "store_tags" and "storeTags" become "Store tags". */
function wordsOf(name: string): string {
  const words = name.replace(/^is_|_at$/g, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return NAMES[name] ?? (words.charAt(0).toUpperCase() + words.slice(1)).replace(/[-_]/g, " ");
}

/** Says what happened, such as "Link changed". */
export function actionText(action: string): string {
  const [kind = "", ...verbs] = action.split(".");
  return [wordsOf(kind), ...verbs.map((verb) => verb.replace(/-/g, " "))].join(" ");
}

export function actorText({ actor, actorName, actorUsername }: Activity): string {
  if (actor === "user" && actorUsername !== null) return actorUsername;
  return [ACTOR_NAMES[actor], actorName, actorUsername && `(${actorUsername})`].filter(Boolean).join(" ");
}

/** Each change with its values before and after. A new or deleted object has one value each, if it is not known by it. */
export function changesOf({ object, before, after }: Activity): { name: string; values: string[] }[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const values = [before, after].flatMap((columns) => (columns && name in columns ? [valueText(columns[name])] : []));
    const isKnown = values.length === 1 && (values[0] === object || values[0] === "nothing");
    return isKnown ? [] : [{ name: wordsOf(name), values }];
  });
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueText).join(", ") || "nothing";
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => `${name}: ${valueText(part)}`);
    return parts.join(", ") || "nothing";
  }
  const text = String(value);
  return TIME.test(text) && !Number.isNaN(Date.parse(text)) ? formatMinute(text) : text;
}
