import { expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "./config.ts";

it("has a default for every setting, even in production", () => {
  vi.stubEnv("TAPTHRU_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(readConfig()).toMatchObject({ SYSLOG_PORT: 5514, ADMIN_PORT: 9084 });
});
