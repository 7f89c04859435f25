import type { AppOpeningStrategy } from "./app-opening.ts";

/** What one version of the built-in table replaced. */
export interface TableStep {
  version: string;
  previous: string;
  /** The earlier form of the rows that it changed or removed. */
  replaced: readonly AppOpeningStrategy[];
  /** Ids of the rows that it added. */
  added: readonly string[];
}

/** The newest first. */
export const TABLE_STEPS: readonly TableStep[] = [
  {
    version: "2026-11-27",
    previous: "2026-11-22",
    replaced: [
      {
        id: "instagram-android",
        app: "instagram",
        os: "android",
        open: "intent",
        mode: "auto",
        escape: null,
        checked: "2024-11-07",
        source: "shalanah/inapp-debugger README: intent opens",
      },
    ],
    added: ["gemini", "chatgpt", "copilot"].flatMap((app) => [`${app}-ios`, `${app}-android`]),
  },
  {
    version: "2026-11-22",
    previous: "2026-11-20",
    replaced: [
      {
        id: "x-ios",
        app: "x",
        os: "ios",
        open: "web",
        mode: "tap",
        escape: null,
        checked: "2025-11-30",
        source:
          "shalanah/inapp-debugger#15: nothing opens at 11.43.1, later neither x-safari at 12.17",
      },
      {
        id: "browser-ios",
        app: "browser",
        os: "ios",
        open: "scheme",
        mode: "auto",
        escape: null,
        checked: "2026-11-20",
        source:
          "Safari opens the scheme after a prompt; YouTube and Gmail hand links to the default browser",
      },
      {
        id: "browser-android",
        app: "browser",
        os: "android",
        open: "intent",
        mode: "auto",
        escape: null,
        checked: "2026-11-20",
        source:
          "developer.chrome.com/docs/android/intents: opens after a gesture, else falls back; YouTube and Gmail hand links to the default browser",
      },
    ],
    added: [],
  },
];
