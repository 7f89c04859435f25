import type * as z from "zod/mini";
import type { EventName } from "./events.ts";
import type { ApiKeyScope } from "./rules/api-key.ts";
import type { ErrorReply } from "./rules/error.ts";
import type { RATE_LIMITS_PER_MINUTE } from "./rules/limits.ts";

/**
 * Who may call: anyone; a user by session; a user by session or by an API key with the scope. `operator` is a scope of users who are
 * operators, and other users get 404. Null or absent: the handler's own guard decides.
 */
export type Access = "anyone" | "session" | ApiKeyScope | null;

/** The roles of members: each may do more than the one before, which is to read, to change, to manage access. */
export const ROLES = ["viewer", "editor", "owner"] as const;
export type Role = (typeof ROLES)[number];

export type LimitName = keyof typeof RATE_LIMITS_PER_MINUTE;

export const TAGS = {
  Links: "Create, find, change and delete short links.",
  Domains: "Own domains of a user, on which links can be.",
  Labels: "Labels that a user puts on their links.",
  Clicks: "How often links were opened, and by which visitors.",
  Earnings: "Earnings of links, from the Amazon reports that the user imported.",
  Stores: "The affiliate tag of each Amazon store.",
  Pages: "Facts about a page of Amazon, without creating a link.",
  Status: "How often the Amazon app opens.",
  "Abuse reports": "Reports of links that break the rules.",
  Accounts: "Users, and everything stored about them.",
  Sessions: "Browsers in which a user is logged in.",
  "API keys": "Keys with which scripts use the api for a user.",
  Webhooks: "Addresses to which events are sent as they happen.",
  Channels: "Where the user publishes links, with a tag in each store.",
  Members: "People who may act in the account of a user.",
  Activity: "Changes, and who made them.",
  Operator: "Calls of this installation's operators. Other users get 404.",
  "Amazon Ads": "The connection of a user to their Amazon Ads account.",
} as const;
export type Tag = keyof typeof TAGS;

interface Schemas {
  /** The `:name` segments of the path; invalid ones give 404. */
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** The body of each success status. Errors are text/plain, or application/problem+json where the client accepts it. */
  replies: Record<number, z.ZodMiniType>;
}

export interface Call extends Schemas {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  tag?: Tag;
  access?: Access;
  /** As `roleOf`. */
  role?: Role | null;
  /**
   * Refused until the email address of the account is confirmed: what it makes lets others act in the account, read it or be sent
   * what happens in it, also after the login has ended.
   */
  needsConfirmedEmail?: true;
  /** The limit that counts the requests, with `access`. Default: otherApi. */
  limit?: LimitName;
  /** Default: JSON_BODY_MAX_BYTES. */
  bodyMaxBytes?: number;
  /** A body that is not JSON, which the handler reads. */
  file?: { type: string; maxBytes: number };
  /** The groups whose replies it makes stale beside those of its own. */
  stale?: readonly Tag[] | "all";
  /** Its effect cannot be undone, or only that of a body with these values: the web sends it after a question. */
  isFinal?: true | Readonly<Record<string, unknown>>;
}

/**
 * How a caller authenticates: by the cookie of a session, by what proves a login at the identity provider, which is the cookie of the
 * built-in one or a token of Firebase, or by an API key with a scope. Both tokens and keys are sent as `Authorization: Bearer …`. Calls for
 * anyone ignore a key.
 */
type Credential = "session" | "login" | "firebaseToken" | ApiKeyScope;
export type Credentials = readonly (readonly Credential[])[];

export interface Header {
  description: string;
  example: string;
}

interface RequestHeader extends Header {
  schema: z.ZodMiniType;
}

/** Parts of the OpenAPI document beyond a call's schemas. The scripts of the web do not contain them. */
export interface Documentation<C extends Schemas = Schemas> {
  summary: string;
  /** Markdown: what summary and schemas do not say. */
  description?: string;
  /**
   * Alternatives: a caller needs all credentials of one of them. An empty one means anyone. Only where the call's own `access` does
   * not say it.
   */
  credentials?: Credentials;
  /** Beyond those that follow from access and input, and beyond those that every call may respond with. */
  errors?: readonly ErrorReply[];
  requestHeaders?: Readonly<Record<string, RequestHeader>>;
  replyHeaders?: Readonly<Record<string, Header>>;
  fileExample?: string;
  /** Other types than JSON in which a client may request the 200 reply, with an example of each. */
  otherTypes?: Readonly<Record<string, string>>;
  records?: EventName | readonly EventName[];
  /** Values in place of those that `exampleOf` makes from the fields. */
  example?: {
    [Part in "params" | "query" | "body"]?: C[Part] extends z.ZodMiniType ? Given<z.input<C[Part]>> : never;
  } & { replies?: { [Status in keyof C["replies"]]?: Given<z.output<C["replies"][Status]>> } };
}

type Given<T> = T extends readonly unknown[]
  ? readonly T[number][]
  : T extends object
    ? { readonly [Name in keyof T]?: Given<T[Name]> }
    : T;

type Definition = Schemas &
  Partial<
    Pick<Call, "access" | "role" | "needsConfirmedEmail" | "limit" | "bodyMaxBytes" | "file" | "stale" | "isFinal">
  >;

export type DocumentedCall = Call & Documentation & { tag: Tag };

type Defined<M extends Call["method"], P extends string, A extends Access, D extends Definition> = {
  method: M;
  path: P;
  access: D extends { access: infer Own } ? Own : A;
} & Pick<D, Extract<keyof D, Exclude<keyof Definition, "access">>> & { tag: Tag } & Documentation;

export function resource<Reads extends Access, Writes extends Access>(
  tag: Tag,
  { reads, writes, roles }: { reads: Reads; writes: Writes; roles?: { reads: Role; writes: Role } },
) {
  const define =
    <M extends Call["method"], A extends Access>(method: M, access: A) =>
    <P extends string, D extends Definition>(path: P, definition: D & Documentation<NoInfer<D>>) => {
      const role = roles && { role: method === "GET" ? roles.reads : roles.writes };
      return { method, path, tag, access, ...role, ...definition } as unknown as Defined<M, P, A, D>;
    };
  return {
    get: define("GET", reads),
    post: define("POST", writes),
    put: define("PUT", writes),
    patch: define("PATCH", writes),
    delete: define("DELETE", writes),
  };
}

/**
 * The role that a member needs for a call in an account; null if the call is about the caller, or no account. By default
 * the calls of API keys are about an account, which viewers read and editors change.
 */
export function roleOf({ method, access, role }: Pick<Call, "method" | "access" | "role">): Role | null {
  if (access === "anyone") return null;
  if (role !== undefined) return role;
  if (access == null || access === "session" || access === "operator") return null;
  return method === "GET" ? "viewer" : "editor";
}

export function credentialsOf({ path, access, credentials }: DocumentedCall): Credentials {
  if (credentials !== undefined) return credentials;
  if (access === null || access === undefined) throw new Error(`${path} does not say who may call.`);
  if (access === "anyone") return [[]];
  return access === "session" ? [["session"]] : [["session"], [access]];
}
