import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { chooseIdentity } from "./identity.ts";

const WEB_CONFIG = { apiKey: "key", authDomain: "own.firebaseapp.com", projectId: "own" };
const A_FILE = fileURLToPath(import.meta.url);

describe("chooseIdentity", () => {
  it("is the emulator by default, with a project that Google does not have", () => {
    expect(chooseIdentity({}, 9099)).toEqual({
      projectId: "demo-tapthru",
      webConfig: {
        apiKey: "demo",
        authDomain: "demo-tapthru.firebaseapp.com",
        projectId: "demo-tapthru",
      },
      emulatorHost: "127.0.0.1:9099",
      credentialsFile: null,
    });
  });

  it("is the emulator if only GOOGLE_APPLICATION_CREDENTIALS is set", () => {
    const identity = chooseIdentity({ GOOGLE_APPLICATION_CREDENTIALS: A_FILE }, 9099);

    expect(identity).toMatchObject({ emulatorHost: "127.0.0.1:9099", credentialsFile: null });
  });

  it("is a Firebase project with its web configuration and a service account", () => {
    const settings = {
      FIREBASE_WEB_CONFIG: JSON.stringify({ ...WEB_CONFIG, appId: "1:2:web:3" }),
      GOOGLE_APPLICATION_CREDENTIALS: A_FILE,
    };

    expect(chooseIdentity(settings, 9099)).toEqual({
      projectId: "own",
      webConfig: { ...WEB_CONFIG, appId: "1:2:web:3" },
      emulatorHost: null,
      credentialsFile: A_FILE,
    });
  });

  it.each([
    ["no JSON", "apiKey: key", A_FILE, "FIREBASE_WEB_CONFIG must be"],
    ["no project", JSON.stringify({ apiKey: "key" }), A_FILE, "FIREBASE_WEB_CONFIG must be"],
    [
      "no service account",
      JSON.stringify(WEB_CONFIG),
      undefined,
      "FIREBASE_WEB_CONFIG requires GOOGLE_APPLICATION_CREDENTIALS",
    ],
    [
      "a service account file that does not exist",
      JSON.stringify(WEB_CONFIG),
      `${A_FILE}.missing`,
      "GOOGLE_APPLICATION_CREDENTIALS names a file",
    ],
  ])("refuses a configuration with %s", (_fault, webConfig, credentials, sentence) => {
    const settings = {
      FIREBASE_WEB_CONFIG: webConfig,
      GOOGLE_APPLICATION_CREDENTIALS: credentials,
    };

    expect(() => chooseIdentity(settings, 9099)).toThrow(sentence);
  });
});
