/** The events of each kind of object: `label` and `changed` make the event `label.changed`. */
const KINDS = {
  "abuse-report": ["decided"],
  account: ["changed", "created", "deleted"],
  "amazon-ads-connection": ["created", "deleted"],
  channel: ["changed", "created", "deleted"],
  "channel-tag": ["changed", "created", "deleted"],
  domain: ["changed", "created", "deleted", "failing", "retried"],
  "earnings-import": ["changed", "created"],
  "earnings-rates": ["changed"],
  email: ["confirmed"],
  invitation: ["created", "deleted"],
  items: ["retried"],
  key: ["created", "deleted"],
  label: ["changed", "created", "deleted"],
  link: ["changed", "claimed", "created", "deleted", "reported", "restored", "unhealthy"],
  links: ["changed", "restored", "taken-down"],
  member: ["changed", "created", "deleted"],
  "onelink-store": ["created", "deleted"],
  passkey: ["created", "deleted"],
  password: ["changed", "reset"],
  "password-link": ["created"],
  "recovery-codes": ["replaced"],
  routing: ["changed"],
  session: ["ended"],
  sessions: ["ended"],
  "shared-page": ["created", "deleted"],
  "two-factor": ["disabled", "enabled", "reset"],
  webhook: ["changed", "created", "deleted"],
} as const;
type Kind = keyof typeof KINDS;

export type EventName = { [K in Kind]: `${K}.${(typeof KINDS)[K][number]}` }[Kind];

/** Kinds that are about how the account's user logs in, or about what is theirs alone: members do not see them. */
const PERSONAL: readonly Kind[] = [
  ...(["account", "amazon-ads-connection", "email", "key", "passkey", "password", "password-link"] as const),
  ...(["recovery-codes", "session", "sessions", "two-factor"] as const),
];

export const PERSONAL_EVENTS: readonly string[] = PERSONAL.flatMap((kind) =>
  KINDS[kind].map((verb) => `${kind}.${verb}`),
);

export const RECEIVED_AS = {
  "link.created": "link.created",
  "link.claimed": "link.created",
  "link.restored": "link.created",
  "link.changed": "link.changed",
  "link.deleted": "link.deleted",
  "link.unhealthy": "link.unhealthy",
  "domain.failing": "domain.failing",
  "link.reported": "link.reported",
} as const satisfies Partial<Record<EventName, EventName>>;
export type WebhookEvent = (typeof RECEIVED_AS)[keyof typeof RECEIVED_AS];

/** The name of an event for webhooks; undefined: they do not receive it. */
export const receivedAs = (event: EventName): WebhookEvent | undefined =>
  (RECEIVED_AS as Partial<Record<EventName, WebhookEvent>>)[event];
