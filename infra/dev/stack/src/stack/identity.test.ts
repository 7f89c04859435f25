import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { chooseIdentity } from "./identity.ts";

const WEB_CONFIG = { apiKey: "key", authDomain: "own.firebaseapp.com", projectId: "own" };
const A_FILE = fileURLToPath(import.meta.url);
const choose = (FIREBASE_WEB_CONFIG?: string, GOOGLE_APPLICATION_CREDENTIALS?: string) =>
  chooseIdentity({ FIREBASE_WEB_CONFIG, GOOGLE_APPLICATION_CREDENTIALS });

describe("chooseIdentity", () => {
  it("is the built-in provider without FIREBASE_WEB_CONFIG", () => {
    expect(choose()).toBeNull();
    expect(choose(undefined, A_FILE)).toBeNull();
  });

  it("is a Firebase project with a service account", () => {
    const webConfig = { ...WEB_CONFIG, appId: "1:2:web:3" };
    expect(choose(JSON.stringify(webConfig), A_FILE)).toEqual({
      projectId: "own",
      credentialsFile: A_FILE,
    });
  });

  it.each([
    ["apiKey: key", A_FILE, "FIREBASE_WEB_CONFIG must be"],
    [JSON.stringify({ apiKey: "key" }), A_FILE, "FIREBASE_WEB_CONFIG must be"],
    [JSON.stringify(WEB_CONFIG), undefined, "requires GOOGLE_APPLICATION_CREDENTIALS"],
    [JSON.stringify(WEB_CONFIG), `${A_FILE}.missing`, "GOOGLE_APPLICATION_CREDENTIALS names a file"],
  ])("refuses %s with the key %s", (webConfig, credentials, sentence) => {
    expect(() => choose(webConfig, credentials)).toThrow(sentence);
  });
});
