import { describe, expect, it } from "vitest";
import { redirectReplicasOf } from "./redirect-replicas.ts";
import { readSettings } from "./settings.ts";

const replicasWith = (env: NodeJS.ProcessEnv) => redirectReplicasOf(readSettings(env));

describe("REDIRECT_REPLICAS", () => {
  it("is one by default, with the ports of the settings", () => {
    expect(replicasWith({ REDIRECT_PORT: "7000" })).toEqual([
      { name: "redirect", port: 7_000, adminPort: 9_082 },
    ]);
  });

  it("gives each further replica ports of its own", () => {
    expect(replicasWith({ REDIRECT_REPLICAS: "3" })).toEqual([
      { name: "redirect", port: 8_082, adminPort: 9_082 },
      { name: "redirect-2", port: 8_182, adminPort: 9_182 },
      { name: "redirect-3", port: 8_282, adminPort: 9_282 },
    ]);
  });

  it("is a number from 1 to 20", () => {
    expect(replicasWith({ REDIRECT_REPLICAS: "20" })).toHaveLength(20);
    for (const REDIRECT_REPLICAS of ["0", "21", "-1", "1.5", "two", "007"]) {
      expect(() => readSettings({ REDIRECT_REPLICAS })).toThrow(
        "REDIRECT_REPLICAS must be a number from 1 to 20",
      );
    }
  });
});
