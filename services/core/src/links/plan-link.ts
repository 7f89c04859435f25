import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import {
  type ChannelChoice,
  type ChannelTags,
  type Destination,
  type LinkChannel,
  newLinkAddresses,
} from "./channel-tags.ts";
import type { LinkAddresses } from "./link-addresses.ts";
import type { OwnerValues } from "./owner-columns.ts";

/** The keys stored with a link, so that a repeated request creates it once. Hashes are hexadecimal. */
export interface IdempotencyKey {
  keyHash: string;
  /** SHA-256 of the user id or of the claim token; null for a new visitor. */
  visitorKey: string | null;
  /** SHA-256 of what was sent. */
  requestHash: string;
  /** The claim token of a new visitor, encrypted with the key itself. */
  claimCipherText: string | null;
}

/** A link that someone creates. The caller knows that its channel and its domain are the creator's. */
export interface NewLink extends OwnerValues, ChannelChoice {
  destination: Destination;
  /** In the form of `cleanSlug`, and allowed on the domain. Empty: the root link of the domain. Without it the name is generated. */
  slug?: string | null | undefined;
  mayReplaceSlug?: boolean | undefined;
  /** Null for the site's own host; undefined for the creator's default. */
  domain?: string | null | undefined;
  idempotencyKey?: IdempotencyKey | null;
}

export interface CreatorSettings {
  channels: ChannelTags;
  /** The domain of links that name none; null for the site's own host. */
  domain: string | null;
}

export interface PlannedLink extends LinkAddresses, LinkChannel, OwnerValues {
  /** Null if the name is generated. */
  code: string | null;
  mayReplaceSlug: boolean;
  domain: string | null;
  idempotencyKey: IdempotencyKey | null;
}

export function planLink(
  publicBaseUrl: string,
  { channels, domain: defaultDomain }: CreatorSettings,
  { destination, channelId, usesChannelTag, slug, ...link }: NewLink,
): PlannedLink {
  const { domain = defaultDomain, mayReplaceSlug = false, idempotencyKey = null } = link;
  const choice = { channelId, usesChannelTag };
  const isChosen = slug || (slug === "" && domain !== null);
  return {
    ...link,
    ...newLinkAddresses(publicBaseUrl, destination, choice, channels),
    code: isChosen ? shortCodeOf(slug, domain) : null,
    mayReplaceSlug,
    domain,
    idempotencyKey,
  };
}
