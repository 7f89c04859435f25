// Not in all.ts, which is in the first script.

import type { ActorKind } from "../../http/activity.ts";

export const activity = "Activity";
export const activityIntro =
  "What was changed in your account, when and by whom: by you, by your API keys, or by the operators of this site.";
export const noActivity = "No changes are recorded.";
export const noActivityMatches = "No changes match these filters.";
export const activityFailed = "The activity could not be loaded.";
export const changedTo = "changed to";
export const noValue = "nothing";
export const yes = "yes";
export const no = "no";
export const activityFileName = (day: string) => `activity-${day}.csv`;

/** Kinds of objects whose changes are recorded, by the first part of an action. Others are shown as they are. */
export const objectKinds: Record<string, string | undefined> = {
  link: "Link",
  label: "Label",
  channel: "Channel",
  "channel-tag": "Tag of a channel",
  "onelink-store": "OneLink store",
  routing: "Routing",
  pattern: "Link pattern",
  import: "Import",
  domain: "Domain",
  key: "API key",
  webhook: "Webhook",
  digest: "Weekly email",
  "earnings-import": "Import of reports",
  "earnings-rates": "Currency",
  "amazon-ads-connection": "Connection to Amazon Ads",
  account: "Account",
  "display-name": "Name",
  email: "Email address",
  password: "Password",
  "password-link": "Link for a new password",
  logins: "Logins",
  passkey: "Passkey",
  "two-factor": "Two-factor login",
  "recovery-codes": "Recovery codes",
  session: "Session",
  sessions: "Sessions",
  invitation: "Invitation",
  report: "Report",
  links: "Links",
  jobs: "Jobs",
  items: "Failing items",
};

/** Also on the operator's page of users. */
export const accountStates: Record<string, string | undefined> = {
  enabled: "Enabled",
  disabled: "Disabled, links work",
  blocked: "Disabled, links closed",
};

/** Columns whose names do not say enough. Others are shown as they are. */
export const columnNames: Record<string, string | undefined> = {
  assistants_get_tag: "Tag for assistants",
  colour: "Color",
  disabled_at: "Disabled",
  expires_at: "Expiry",
  fallback_url: "When it ends",
  file_name: "File",
  hsts: "Only https",
  is_default: "Default",
  is_on: "On",
  is_operator: "Operator",
  makes_operator: "Makes an operator",
  marketplace: "Store",
  off_at: "Turned off",
  sealed_refresh_token: "Access",
  sealed_secret: "Secret",
  short_code: "Short link",
  start: "Begins with",
  store_id: "Store ID",
  taken_down_at: "Taken down",
  untagged_code: "Link without tag",
  unsubscribed_at: "Unsubscribed",
  url: "Address",
  uses_channel_tag: "Uses the channel's tag",
  verified_at: "Verified",
  web_url: "Destination",
};

/** Who changed something of a user, for the user. */
export const actorsForOwner: Record<ActorKind, string> = {
  user: "You",
  key: "API key",
  mcp: "Assistant with the API key",
  operator: "An operator of this site",
  visitor: "A visitor",
  job: "This site, by itself",
  command: "The operator of this site",
};

// For operators
export const allActivityIntro =
  "What was changed in this installation, when and by whom. Rows cannot be changed or deleted here; the address is removed after 30 days.";
export const actors: Record<ActorKind, string> = {
  user: "User",
  key: "API key",
  mcp: "Assistant",
  operator: "Operator",
  visitor: "Visitor",
  job: "Job",
  command: "Command",
};
export const filterActor = "By";
export const allActors = "By anyone";
export const filterAction = "What";
export const allActions = "All changes";
export const searchActivity = "Search for a username, email address or object";
export const searchActivityPlaceholder = "Search";
/** Before the username of the owner. */
export const ofOwner = "of";
export const address = (hash: string) => `Address ${hash.slice(0, 8)}`;
export const userNumber = (id: string) => `User ${id}`;
export const requestId = (id: string) => `Request ${id}`;
export const removeFilter = (name: string) => `Remove the filter ${name}`;
