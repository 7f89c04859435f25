import { describe, expect, it } from "vitest";
import { createUploads } from "./uploads.ts";

const forever = () => new Promise<never>(() => {});
const sends = async (uploads: ReturnType<typeof createUploads>, userId: number, address: string) =>
  uploads.receive({ userId, address }, async () => "received").catch(({ code }) => code);

describe("files that arrive slowly", () => {
  it("keep their user from sending another one, and no other user", async () => {
    const uploads = createUploads();
    void uploads.receive({ userId: 1, address: "a" }, forever);
    expect(await sends(uploads, 1, "b")).toBe("unavailable");
    expect(await sends(uploads, 2, "a")).toBe("received");
  });

  it("are three of an address and ten in all at most", async () => {
    const uploads = createUploads();
    for (let userId = 1; userId <= 3; userId++)
      void uploads.receive({ userId, address: "a" }, forever);
    expect(await sends(uploads, 11, "a")).toBe("unavailable");
    for (let userId = 4; userId <= 10; userId++) {
      expect(await sends(uploads, 11, "b")).toBe("received");
      void uploads.receive({ userId, address: `address ${userId}` }, forever);
    }
    expect(await sends(uploads, 11, "b")).toBe("unavailable");
  });

  it("free their place when they end, also with an error", async () => {
    const uploads = createUploads();
    const fail = uploads.receive({ userId: 1, address: "a" }, async () => {
      throw new Error("aborted");
    });
    await expect(fail).rejects.toThrow("aborted");
    expect(await sends(uploads, 1, "a")).toBe("received");
  });
});
