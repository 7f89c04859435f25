import {
  isMarketplace,
  MARKETPLACES,
  type Marketplace,
} from "@tapthru/proto/rules/amazon/marketplaces";
import * as z from "zod/mini";
import { EnvError } from "./env.ts";

/** Each client of the API has a version, by region: 3.1 NA, 3.2 EU, 3.3 FE. */
const Version = z.enum(["3.1", "3.2", "3.3"], "must be 3.1, 3.2 or 3.3");

const INVALID_TAGS_MESSAGE =
  'must be JSON of tags by store, such as {"com":"me-20","ca":"me0c-20"}';
const PartnerTags = z.partialRecord(
  z.enum(Object.keys(MARKETPLACES).filter(isMarketplace)),
  z.string().check(z.regex(/^[\w-]{1,64}$/)),
);
const partnerTags = z.pipe(
  z.string().check(z.refine((text) => readTags(text) !== null, INVALID_TAGS_MESSAGE)),
  z.transform((text: string) => readTags(text) ?? {}),
);

function readTags(text: string): Partial<Record<Marketplace, string>> | null {
  try {
    return z.parse(PartnerTags, JSON.parse(text));
  } catch {
    return null;
  }
}

/** Either all of them are set or none. */
export const creatorsSettings = {
  AMAZON_CREATORS_CLIENT_ID: z.optional(z.string()),
  AMAZON_CREATORS_CLIENT_SECRET: z.optional(z.string()),
  AMAZON_CREATORS_VERSION: z.optional(Version),
  AMAZON_CREATORS_PARTNER_TAGS: z.optional(partnerTags),
};

const Settings = z.object(creatorsSettings);

/** Settings of one client of the Creators API. */
export interface CreatorsCredentials {
  clientId: string;
  clientSecret: string;
  version: z.output<typeof Version>;
  /** The operator's Associates tags; stores without one are not queried. */
  partnerTags: Partial<Record<Marketplace, string>>;
}

/**
 * @returns null without any of the settings
 * @throws EnvError if some are missing
 */
export function creatorsCredentials(
  settings: z.output<typeof Settings>,
): CreatorsCredentials | null {
  const {
    AMAZON_CREATORS_CLIENT_ID: clientId,
    AMAZON_CREATORS_CLIENT_SECRET: clientSecret,
    AMAZON_CREATORS_VERSION: version,
    AMAZON_CREATORS_PARTNER_TAGS: partnerTags,
  } = settings;
  if (clientId && clientSecret && version && partnerTags) {
    return { clientId, clientSecret, version, partnerTags };
  }
  const names = Object.keys(creatorsSettings) as (keyof typeof creatorsSettings)[];
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length === names.length) return null;
  throw new EnvError(missing.map((name) => `${name} is missing`));
}
