import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { creatorsCredentials, creatorsSettings } from "./creators-settings.ts";
import { parseEnv } from "./env.ts";

const COMPLETE_SETTINGS = {
  AMAZON_CREATORS_CLIENT_ID: "amzn1.application-oa2-client.abc",
  AMAZON_CREATORS_CLIENT_SECRET: "top-secret",
  AMAZON_CREATORS_VERSION: "3.2",
  AMAZON_CREATORS_PARTNER_TAGS: '{"de":"me-21","co.uk":"me0c-21"}',
};

const read = (env: Record<string, string>) =>
  creatorsCredentials(parseEnv(z.object(creatorsSettings), env, []));

describe("the Creators API's settings", () => {
  it("are parsed if all are set", () => {
    expect(read(COMPLETE_SETTINGS)).toEqual({
      clientId: "amzn1.application-oa2-client.abc",
      clientSecret: "top-secret",
      version: "3.2",
      partnerTags: { de: "me-21", "co.uk": "me0c-21" },
    });
  });

  it("may all be missing or empty", () => {
    expect(read({})).toBeNull();
    expect(
      read(Object.fromEntries(Object.keys(COMPLETE_SETTINGS).map((name) => [name, ""]))),
    ).toBeNull();
  });

  it.each(Object.keys(COMPLETE_SETTINGS))(
    "are refused without %s, with an error that names it and contains no value",
    (name) => {
      const incomplete = () => read({ ...COMPLETE_SETTINGS, [name]: "" });
      expect(incomplete).toThrow(`Invalid configuration:\n${name} is missing`);
      expect(incomplete).not.toThrow("secret");
    },
  );

  it("are rejected with an unsupported version", () => {
    expect(() => read({ ...COMPLETE_SETTINGS, AMAZON_CREATORS_VERSION: "2.1" })).toThrow(
      "AMAZON_CREATORS_VERSION must be 3.1, 3.2 or 3.3",
    );
  });

  it.each(["de", "[]", "null", '{"example":"me-20"}', '{"de":""}', '{"de":21}', '{"de":"a b"}'])(
    "are refused with the tags %s",
    (tags) => {
      expect(() => read({ ...COMPLETE_SETTINGS, AMAZON_CREATORS_PARTNER_TAGS: tags })).toThrow(
        "AMAZON_CREATORS_PARTNER_TAGS must be JSON of tags by store",
      );
    },
  );
});
