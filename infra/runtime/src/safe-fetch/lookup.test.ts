import { describe, expect, it } from "vitest";
import { startNameServer } from "../testing/name-server.ts";
import { resolveAllAddresses } from "./client.ts";

describe("resolveAllAddresses", () => {
  it("returns the addresses of both families", async () => {
    const server = await startNameServer((type) =>
      type === "A" ? ["1.1.1.1", "10.0.0.1"] : ["2a00::1"],
    );
    expect(await resolveAllAddresses("amzn.to", [server])).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "10.0.0.1", family: 4 },
      { address: "2a00::1", family: 6 },
    ]);
  });

  it("returns those of one family if the other fails", async () => {
    const server = await startNameServer((type) => (type === "A" ? ["1.1.1.1"] : null));
    expect(await resolveAllAddresses("amzn.to", [server])).toEqual([
      { address: "1.1.1.1", family: 4 },
    ]);
  });

  it("rejects if there is no address", async () => {
    const server = await startNameServer(() => []);
    await expect(resolveAllAddresses("amzn.to", [server])).rejects.toThrow("no address");
  });
});
