import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { readRules } from "./rules.ts";

const SCRIPT = join(import.meta.dirname, "..", "alertmanager", "config.sh");

async function configure(env: Record<string, string> = {}) {
  // The image has busybox; `sh` may be dash, whose printf does not decode `\x40`.
  const { stdout } = await execa("bash", [SCRIPT], { env });
  const config = parse(stdout);
  const [watchdog, onCall] = config.receivers;
  return { ...config, watchdog, onCall };
}

it("has receivers that send nothing without settings", async () => {
  const { watchdog, onCall } = await configure();
  expect([watchdog, onCall]).toEqual([{ name: "watchdog" }, { name: "on-call" }]);
});

const mail = { ALERT_EMAIL_TO: "ops@tapthru.example", SMTP_FROM: "mail@tapthru.example" };

it("calls Slack, PagerDuty and the watchdog's service by their secrets, and sends email with the decoded login", async () => {
  const { watchdog, onCall } = await configure({
    ...mail,
    ALERT_SLACK_URL: "https://hooks.slack.example/it's",
    ALERT_PAGERDUTY_KEY: "key",
    ALERT_WATCHDOG_URL: "https://watchdog.example/ping",
    SMTP_URL: "smtps://ada%40tapthru.example:it%27s%3A@mail.example:465?tls.servername=mx",
  });
  expect(watchdog.webhook_configs).toMatchObject([{ url: "https://watchdog.example/ping" }]);
  const { slack_configs, pagerduty_configs, email_configs } = onCall;
  expect([slack_configs, pagerduty_configs, email_configs]).toMatchObject([
    [{ api_url: "https://hooks.slack.example/it's" }],
    [{ routing_key: "key" }],
    [
      {
        to: mail.ALERT_EMAIL_TO,
        from: mail.SMTP_FROM,
        smarthost: "mail.example:465",
        require_tls: false,
        force_implicit_tls: true,
        auth_username: "ada@tapthru.example",
        auth_password: "it's:",
      },
    ],
  ]);
});

it("sends email also without a login and a port, but not without SMTP_URL", async () => {
  const { onCall } = await configure({ ...mail, SMTP_URL: "smtp://mail.example" });
  const starttls = { require_tls: true, force_implicit_tls: false };
  expect(onCall.email_configs).toMatchObject([{ smarthost: "mail.example:587", ...starttls }]);
  expect(onCall.email_configs[0]).not.toHaveProperty("auth_username");
  await expect(configure(mail)).rejects.toThrow("ALERT_EMAIL_TO needs SMTP_URL and SMTP_FROM");
});

it("uses TLS from the start with smtps on any port, by an address in a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-alertmanager-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "url"), "smtps://ada:secret@mail.example:2465\n");
  const { onCall } = await configure({ ...mail, SMTP_URL_FILE: join(folder, "url") });
  const implicit = { require_tls: false, force_implicit_tls: true };
  expect(onCall.email_configs).toMatchObject([
    { smarthost: "mail.example:2465", auth_password: "secret", ...implicit },
  ]);
});

it("inhibits only alerts that exist", async () => {
  const { inhibit_rules } = await configure();
  const alerts = readRules().flatMap((rule) => ("alert" in rule ? [rule.alert] : []));
  const matchers: string[] = inhibit_rules.flatMap((rule: Record<string, string[]>) => [
    ...(rule.source_matchers ?? []),
    ...(rule.target_matchers ?? []),
  ]);
  const patterns = matchers.flatMap((matcher) => /^alertname=~?"(.+)"$/.exec(matcher)?.[1]?.split("|") ?? []);
  expect(patterns.length).toBeGreaterThan(20);
  for (const pattern of patterns) {
    expect(
      alerts.filter((alert) => new RegExp(`^${pattern}$`).test(alert)),
      pattern,
    ).not.toEqual([]);
  }
});
