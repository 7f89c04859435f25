import type * as z from "zod/mini";
import type { Call } from "../http/call.ts";
import type { ApiKeyScope } from "../rules/api-key.ts";
import type { ErrorCode } from "../rules/errors.ts";

/**
 * How a caller authenticates: by the cookie of a session, by a token of the identity provider, or by an API key with a scope.
 * Both tokens and keys are sent as `Authorization: Bearer …`. Calls for anyone ignore a key.
 */
type Credential = "session" | "firebaseToken" | ApiKeyScope;

export type Credentials = readonly (readonly Credential[])[];

/** The alternatives of a call. */
export function credentialsOf(
  call: Call,
  { access }: Pick<CallDocumentation, "access">,
): Credentials {
  if (access !== undefined) return access;
  if (call.access === undefined) throw new Error(`${call.path} does not say who may call.`);
  if (call.access === "anyone") return [[]];
  return call.access === "session" ? [["session"]] : [["session"], [call.access]];
}

/** The groups of the reference, in its order. */
export const TAGS = {
  Links: "Create, find, change and delete short links.",
  Domains: "Own domains of a user, on which links can be.",
  Labels: "Labels that a user puts on their links.",
  Imports: "Create links from a file.",
  Clicks: "How often links were opened, and by what.",
  Earnings: "What links earned, by Amazon's reports that the user imported.",
  Stores: "The affiliate tag of each Amazon store.",
  Pages: "What is known about a page of Amazon, without creating a link.",
  Status: "How often the Amazon app opens.",
  Reports: "Reports of links that break the rules.",
  Accounts: "Users, and everything stored about them.",
  Sessions: "Browsers in which a user is logged in.",
  "API keys": "Keys with which scripts use the api for a user.",
  Webhooks: "Addresses to which events are sent as they happen.",
  Channels: "Where the user publishes links, with a tag in each store.",
  Activity: "Who changed what.",
  Operator: "What operators of this installation see and do. Other users get 404.",
  "Amazon Ads": "The connection of a user to their Amazon Ads account.",
} as const;

export interface Header {
  description: string;
  example: string;
}

interface RequestHeader extends Header {
  schema: z.ZodMiniType;
}

/** One request that is valid, and the body of each reply that the call defines. */
type Example<C extends Call> = ExampleOf<C, "params"> &
  ExampleOf<C, "query"> &
  ExampleOf<C, "body"> & {
    replies: { [Status in keyof C["replies"]]: z.output<C["replies"][Status]> };
  };

type ExampleOf<
  C extends Call,
  Part extends "params" | "query" | "body",
> = C[Part] extends z.ZodMiniType
  ? { [Name in Part]: z.input<C[Part]> }
  : { [Name in Part]?: never };

/**
 * What the OpenAPI document says about a call beyond its schemas. It is not a part of `Call`, because browsers load the
 * calls.
 */
export interface CallDocumentation<C extends Call = Call> {
  tag: keyof typeof TAGS;
  /** A short imperative phrase without a period. */
  summary: string;
  /** Markdown: what summary and schemas do not say. */
  description?: string;
  /**
   * Alternatives: a caller needs all credentials of one of them. An empty one means anyone. Only where the call's own `access` does
   * not say it.
   */
  access?: Credentials;
  /** Codes beyond those that follow from access and input, and beyond those that every call may respond with. */
  errors: readonly ErrorCode[];
  requestHeaders?: Readonly<Record<string, RequestHeader>>;
  /** Headers of the success replies beyond those of every reply. */
  replyHeaders?: Readonly<Record<string, Header>>;
  /** The body of the request, if it is not JSON. */
  fileExample?: string;
  /** Other types than JSON in which a client may request the 200 reply, with an example of each. */
  otherTypes?: Readonly<Record<string, string>>;
  example: Example<C>;
}

/** The documentation of each call of a module. A call without it does not compile. */
export type DocumentationOf<Module> = {
  [Name in keyof Module as Module[Name] extends Call ? Name : never]: CallDocumentation<
    Module[Name] & Call
  >;
};
