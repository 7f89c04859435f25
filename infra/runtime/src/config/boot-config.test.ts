import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const SCRIPT = `
  import { readConfigAtBoot } from ${JSON.stringify(new URL("boot-config.ts", import.meta.url).href)};
  import { EnvError } from ${JSON.stringify(new URL("env.ts", import.meta.url).href)};
  readConfigAtBoot("api", () => {
    throw new EnvError(["DATABASE_URL is missing", "PORT must be a port from 1 to 65535"]);
  });
`;

it("logs all errors in one JSON record and exits with 1", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", SCRIPT],
    { encoding: "utf8" },
  );

  expect(stderr).toBe("");
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    level: "fatal",
    service: "api",
    event: "invalid_configuration",
    msg: "invalid configuration",
    problems: ["DATABASE_URL is missing", "PORT must be a port from 1 to 65535"],
  });
});
