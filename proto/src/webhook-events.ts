import * as z from "zod/mini";
import type { WebhookEvent } from "./events.ts";
import { StoredOwnerFields } from "./owner-fields.ts";
import { ABUSE_REASONS } from "./rules/abuse-reasons.ts";
import { DOMAIN_PROBLEMS, domainNoticeReasons } from "./rules/domains.ts";
import { healthReasons, LINK_STATES, UNHEALTHY_STATES } from "./rules/link-health.ts";
import { nameInEmail } from "./rules/names.ts";
import { paths } from "./rules/paths.ts";

const timestamp = z.iso.datetime();

const { expiresAt, ...otherFields } = StoredOwnerFields.shape;

/** The database function `link_event_data` makes it, except `shortUrl`. */
const ChangedLink = z.object({
  id: z.int(),
  shortCode: z.string(),
  shortUrl: z.string(),
  webUrl: z.string(),
  ...otherFields,
  // Events from before a field do not have it.
  opening: z._default(otherFields.opening, null),
  imageUrl: z._default(otherFields.imageUrl, null),
  startsAt: z._default(otherFields.startsAt, null),
  labels: z.array(z.string()),
  takenDown: z.boolean(),
  expiresAt,
  createdAt: z.iso.datetime(),
});

const UnhealthyLink = z.extend(ChangedLink, {
  health: z.object({
    state: z.enum(UNHEALTHY_STATES),
    previousState: z.enum(LINK_STATES),
    since: z.iso.datetime(),
  }),
});

const CHANGED_LINK_TEXT =
  "`data` is the link with its short address, destination, own title and nickname, labels and expiry. A link that was created without an account is new to the account that claims it.";
const UNHEALTHY_STATES_TEXT = new Intl.ListFormat("en", { type: "disjunction" }).format(
  UNHEALTHY_STATES.map((state) => `\`${state}\``),
);

interface EventRow<Data> {
  data: z.ZodMiniType<Data>;
  name: string;
  about: string;
  documentation: string;
  isForOperators?: boolean;
  sentence(data: NoInfer<Data>): string;
  page(data: NoInfer<Data>): string;
}

const event = <Data>(row: EventRow<Data>) => row;

const nameOf = ({ nickname, title, shortCode }: z.infer<typeof ChangedLink>) =>
  nameInEmail(nickname ?? title ?? "") || shortCode;
const pageOf = ({ shortCode }: z.infer<typeof ChangedLink>) => paths.link(shortCode);

export const PAYLOADS = {
  "link.created": event({
    data: ChangedLink,
    name: "Link created",
    about: "Also when a link from before you logged in is added to your account.",
    documentation: CHANGED_LINK_TEXT,
    sentence: (link) => `${nameOf(link)} was created.`,
    page: pageOf,
  }),
  "link.changed": event({
    data: ChangedLink,
    name: "Link changed",
    about: "Its destination, short link, title, name, expiry or labels, or it was taken down.",
    documentation: CHANGED_LINK_TEXT,
    sentence: (link) => `${nameOf(link)} was changed.`,
    page: pageOf,
  }),
  "link.deleted": event({
    data: z.pick(ChangedLink, { id: true, shortCode: true, shortUrl: true }),
    name: "Link deleted",
    about: "By you, or because it expired.",
    documentation: "`data` has `id`, `shortCode` and `shortUrl`.",
    sentence: ({ shortCode }) => `The link ${shortCode} was deleted.`,
    page: () => paths.dashboard,
  }),
  "link.unhealthy": event({
    data: UnhealthyLink,
    name: "Link needs attention",
    about: "Its product is gone, out of stock or redirected, or its tag is missing or wrong.",
    documentation: `a live link got a state that needs attention. \`data\` is the link with \`health\`: \`state\` is ${UNHEALTHY_STATES_TEXT}; \`previousState\` may also be \`ok\` or \`unknown\`; \`since\` is the time of the change. Each change to another of these states is one event. No response, a refusal or a captcha of Amazon is never an event.`,
    sentence: (link) => `${nameOf(link)}: ${healthReasons[link.health.state]}`,
    page: pageOf,
  }),
  "domain.failing": event({
    data: z.object({
      host: z.string(),
      problem: z.enum(DOMAIN_PROBLEMS),
      since: timestamp,
      /** When the domain stops working unless the problem is solved: it is turned off, or its certificate ends. */
      offAt: timestamp,
    }),
    name: "Domain has a problem",
    about: "Its DNS record or its certificate is no longer right.",
    documentation:
      "the checks of an own domain, or the renewal of its certificate, began to fail. `data` has `host`, `problem`, `since`, and `offAt`, when the domain stops working unless the problem is solved: it is turned off, or its certificate ends.",
    sentence: ({ host, problem }) => `${host}: ${domainNoticeReasons[problem]}`,
    page: () => paths.domains,
  }),
  "link.reported": event({
    data: z.object({
      shortCode: z.string(),
      shortUrl: z.string(),
      webUrl: z.string(),
      reason: z.enum(ABUSE_REASONS),
      count: z.int(),
    }),
    name: "Link reported",
    about: "A visitor reported a link of this site. Only for operators.",
    isForOperators: true,
    documentation:
      "a visitor reported a link of the installation for a reason for which no report was open. `data` has `shortCode`, `shortUrl`, `webUrl`, `reason`, and `count`, its reports for this reason.",
    sentence: ({ shortCode, reason }) => `The link ${shortCode} was reported: ${reason}.`,
    page: () => paths.operator,
  }),
} satisfies Record<WebhookEvent, unknown>;

export const WEBHOOK_EVENTS = Object.keys(PAYLOADS) as [WebhookEvent, ...WebhookEvent[]];

export const isForOperators = (type: WebhookEvent) => PAYLOADS[type].isForOperators === true;

export const eventName = (type: WebhookEvent | "test") => (type === "test" ? "Test" : PAYLOADS[type].name);

export const WebhookPayload = z.union([
  z.object({ type: z.literal("test"), timestamp, data: z.object({}) }),
  ...WEBHOOK_EVENTS.map((type) => z.object({ type: z.literal(type), timestamp, data: PAYLOADS[type].data })),
]);
export type WebhookPayload = z.infer<typeof WebhookPayload>;

export function alertOf({ type, data }: WebhookPayload): [text: string, path: string] {
  if (type === "test") return ["This is a test: alerts arrive here.", paths.notifications];
  const row: EventRow<unknown> = PAYLOADS[type];
  return [row.sentence(data), row.page(data)];
}
