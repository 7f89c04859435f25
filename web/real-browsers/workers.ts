import * as z from "zod/mini";

const Worker = z.object({
  WebKit: z.nullable(
    z.object({ driverUrl: z.string(), miniBrowser: z.string(), pidFile: z.string() }),
  ),
  Firefox: z.nullable(z.object({ marionettePort: z.number(), openedFile: z.string() })),
});

const { REAL_BROWSERS = "[]", VITEST_POOL_ID } = process.env;

/** The browsers of this worker, started by infra/dev/stack/src/real-browsers/setup.ts. */
export const { WebKit: webkit = null, Firefox: firefox = null } =
  z.array(Worker).parse(JSON.parse(REAL_BROWSERS))[Number(VITEST_POOL_ID) - 1] ?? {};

export type WebKit = NonNullable<typeof webkit>;
export type Firefox = NonNullable<typeof firefox>;
