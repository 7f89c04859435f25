import type { Activity, ActorKind } from "@tapthru/proto/activity";
import { formatMinute } from "../../lib/dates.ts";
import { ACCOUNT_STATE_NAMES } from "../../lib/names.ts";

/** Kinds of objects whose changes are recorded, by the first part of an action. Others are shown as they are. */
export const OBJECT_KIND_NAMES: Record<string, string | undefined> = {
  link: "Link",
  label: "Label",
  channel: "Channel",
  "channel-tag": "Tag of a channel",
  experiment: "Experiment",
  "onelink-store": "OneLink store",
  routing: "Visitors' stores",
  pattern: "Link pattern",
  import: "Import",
  domain: "Domain",
  key: "API key",
  "shared-page": "Shared clicks",
  webhook: "Webhook",
  digest: "Weekly email",
  "earnings-import": "Import of reports",
  "earnings-rates": "Currency",
  "amazon-ads-connection": "Connection to Amazon Ads",
  account: "Account",
  email: "Email address",
  password: "Password",
  "password-link": "Link for a new password",
  passkey: "Passkey",
  "two-factor": "Two-factor login",
  "recovery-codes": "Recovery codes",
  session: "Session",
  sessions: "Sessions",
  invitation: "Invitation",
  member: "Member",
  report: "Report",
  links: "Links",
  items: "Failing items",
};

/** Who changed something of a user, for the user. */
const ACTORS_FOR_OWNER: Record<ActorKind, string> = {
  user: "You",
  key: "API key",
  mcp: "Assistant with the API key",
  operator: "An operator of this site",
  visitor: "A visitor",
  job: "This site, by itself",
  command: "The operator of this site",
};

/** Columns whose names do not say enough. Others are shown as they are. */
const COLUMN_NAMES: Record<string, string | undefined> = {
  assistants_get_tag: "Tag for assistants",
  colour: "Color",
  displayed_name: "Name on links",
  expires_at: "Expiry",
  fallback_url: "When it ends",
  file_name: "File",
  hsts: "Only https",
  image_url: "Image",
  makes_operator: "Makes an operator",
  marketplace: "Store",
  off_at: "Turned off",
  sealed_refresh_token: "Access",
  sealed_secret: "Secret",
  shows_disclosure: "Amazon's sentence",
  short_code: "Short link",
  start: "Begins with",
  starts_at: "Start",
  store_id: "Store ID",
  untagged_code: "Link without tag",
  url: "Address",
  uses_channel_tag: "Uses the channel's tag",
  web_url: "Destination",
};

type Columns = Activity["before"];

/** What happened, such as "Link changed". */
export function actionText({ action }: Activity): string {
  const [kind = "", ...verb] = action.split(".");
  return [OBJECT_KIND_NAMES[kind] ?? wordsOf(kind), ...verb.map(spaced)].join(" ");
}

/** Who did it, for the owner of the object and other members. */
export function actorText({ actor, actorName, actorUsername }: Activity): string {
  if (actor === "user" && actorUsername !== null) return actorUsername;
  const name = actor === "job" || actor === "command" ? null : actorName;
  const ofMember = actorUsername === null ? [] : [`of ${actorUsername}`];
  return [ACTORS_FOR_OWNER[actor], ...(name === null ? [] : [name]), ...ofMember].join(" ");
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
    columns && ((isState(name) && ACCOUNT_STATE_NAMES[String(columns[name])]) || valueText(columns[name]));
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .filter((name) => {
      const value = valueText((before ?? after)?.[name]);
      return (before && after) || (value !== object && value !== "nothing");
    })
    .map((name) => ({
      name: COLUMN_NAMES[name] ?? wordsOf(name.replace(/^is_|_at$/g, "")),
      before: textIn(before, name),
      after: textIn(after, name),
    }));
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

/** "store_tags" and "storeTags" become "Store tags". */
function wordsOf(name: string): string {
  const words = spaced(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function spaced(name: string): string {
  return name.replace(/[-_]/g, " ");
}
