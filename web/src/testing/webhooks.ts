import type { Webhook } from "@tapthru/proto/webhooks";

export const webhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: 1,
  url: "https://hooks.example/in",
  quietHours: null,
  events: ["link.created", "import.finished"],
  state: "works",
  disabledReason: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: "2026-11-20T12:00:00.000Z",
  ...changes,
});

export const SECRET = `whsec_${"a".repeat(43)}=`;
