import type { AdsProfile } from "@tapthru/proto/http/amazon-ads";
import type { AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import type { SafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import * as z from "zod/mini";
import { REGIONS, requestAmazon } from "./request-amazon.ts";

/** Account data that an access token can read. */
export interface AmazonAccount {
  name: string | null;
  email: string | null;
  profiles: AdsProfile[];
}

export type AccountReader = (
  region: AdsRegion,
  accessToken: string,
  deadline: AbortSignal,
) => Promise<AmazonAccount>;

const text = z.string().check(z.maxLength(500));
const UserProfile = z.object({ name: z.nullish(text), email: z.nullish(text) });
const AdsProfiles = z.array(
  z.object({
    profileId: z.string().check(z.regex(/^\d{1,30}$/)),
    countryCode: text,
    accountInfo: z.nullish(z.object({ name: z.nullish(text) })),
  }),
);

/** Reads the user profile and the advertising profiles of an account. Throws AmazonError. */
export function createAccountReader(safeFetch: SafeFetch, clientId: string): AccountReader {
  return async (region, accessToken, deadline) => {
    const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
    const [user, profiles] = await Promise.all([
      requestAmazon(safeFetch, {
        url: REGIONS[region].userProfile,
        headers,
        deadline,
        schema: UserProfile,
      }),
      requestAmazon(safeFetch, {
        url: REGIONS[region].adsProfiles,
        headers: { ...headers, "amazon-advertising-api-clientid": clientId },
        deadline,
        schema: AdsProfiles,
      }),
    ]);
    return {
      name: user.name ?? null,
      email: user.email ?? null,
      profiles: profiles.map(({ profileId: id, countryCode, accountInfo }) => ({
        id,
        name: accountInfo?.name ?? null,
        countryCode,
      })),
    };
  };
}
