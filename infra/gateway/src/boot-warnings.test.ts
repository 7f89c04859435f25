import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { expect, it } from "vitest";
import { logBootWarnings } from "./boot-warnings.ts";

const untilMs = Date.now() + 60_000;
const countryHeader = "cf-ipcountry";

it.each([
  [{}, []],
  [{ LOG_CLIENT_ADDRESSES_UNTIL: Date.now() - 1 }, []],
  [
    { LOG_CLIENT_ADDRESSES_UNTIL: untilMs },
    [{ event: "client_addresses_logged", until: new Date(untilMs).toISOString() }],
  ],
  [{ countryHeader }, [{ event: "country_header_ignored" }]],
  [{ countryHeader, trustedProxies: ["10.0.0.0/8"] }, []],
])("warns of the settings %j as it should", (settings, expected) => {
  const { logger, lines } = createTestLogger();
  logBootWarnings({ LOG_CLIENT_ADDRESSES_UNTIL: null, countryHeader: null, trustedProxies: [], ...settings }, logger);
  expect(lines).toMatchObject(expected);
});
