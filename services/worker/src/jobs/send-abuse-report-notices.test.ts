import { beforeEach, expect, it } from "vitest";
import type { Mail } from "../emails/mailer.ts";
import { addLinks, bulkUpdateDeps, useDatabase } from "../testing/test-database.ts";
import { workNow } from "../testing/test-due.ts";
import { createTestMailer } from "../testing/test-mailer.ts";
import { sendAbuseReportNotices } from "./send-abuse-report-notices.ts";

const database = await useDatabase();
const { rows } = database;
let mails: { to: string; mail: Mail }[];
const sent = () => mails.map(({ to, mail }) => `${to}: ${mail.subject}`);
beforeEach(async () => {
  mails = [];
  await rows(`
    INSERT INTO users (username, email, firebase_uid, email_is_verified, is_operator, state) VALUES
      ('ann', 'ann@t.example', 'a', true, true, 'enabled'), ('ben', 'ben@t.example', 'b', true, true, 'enabled'),
      ('eve', 'eve@t.example', 'c', true, false, 'enabled'), ('dan', 'dan@t.example', 'd', true, true, 'disabled'),
      ('joe', 'joe@t.example', 'e', false, true, 'enabled')
  `);
  await addLinks(database, { name: "lamp", count: 3 });
});

const send = (refuse: (to: string) => object | null | Promise<object | null> = () => null) =>
  workNow(
    {
      ...bulkUpdateDeps(database),
      mailer: createTestMailer(mails, async (to) => {
        const error = await refuse(to);
        if (error !== null) throw Object.assign(new Error("not sent"), error);
      }),
      productName: "Tapthru",
    },
    sendAbuseReportNotices,
  );
const tenMinutesLater = async () => {
  await rows("UPDATE users SET reports_noticed_at = reports_noticed_at - interval '10 minutes'");
  await rows("UPDATE abuse_reports SET opened_at = opened_at - interval '10 minutes'");
};
const report = (code: string, reason = "spam") =>
  rows("INSERT INTO abuse_reports (short_code, reason) VALUES ($1, $2)", [code, reason]);

it("sends each operator one email about all new reports, once", async () => {
  await report("lamp1");
  await report("lamp1", "harmful");
  await report("lamp2");
  await send();
  await send();
  expect(sent()).toEqual([
    "ann@t.example: 2 links of Tapthru were reported",
    "ben@t.example: 2 links of Tapthru were reported",
  ]);
  expect(mails[0]?.mail.text).toContain("https://t.example/operator");
  await report("lamp3");
  await send();
  expect(sent()).toHaveLength(2);
  await tenMinutesLater();
  await rows("UPDATE abuse_reports SET decision = 'dismissed' WHERE short_code = 'lamp1'");
  await send();
  expect(sent().slice(2)).toEqual([
    "ann@t.example: A link of Tapthru was reported",
    "ben@t.example: A link of Tapthru was reported",
  ]);
});

it.each(["EDNS", "ETIMEDOUT"])("sends it later while the mail server is unavailable (%s)", async (code) => {
  await report("lamp1");
  await send(() => ({ code, command: "CONN" }));
  expect(sent()).toEqual([]);
  await send();
  expect(sent()).toHaveLength(2);
});

it("an operator whose address is not accepted now gets the email later, and no other one gets it twice", async () => {
  await report("lamp1");
  const busy = { code: "EENVELOPE", command: "RCPT TO", responseCode: 450 };
  await send((to) => (to === "ann@t.example" ? busy : null));
  expect(mails.map(({ to }) => to)).toEqual(["ben@t.example"]);
  await send();
  await send();
  expect(mails.map(({ to }) => to)).toEqual(["ben@t.example", "ann@t.example"]);
});

it("an operator whose email failed by an error of ours is quarantined, and no other one when the list changes", async () => {
  await report("lamp1");
  const unreadable = { responseCode: "not a number" };
  await send((to) => (to === "ann@t.example" ? unreadable : null));
  expect(sent()).toHaveLength(1);
  await rows("UPDATE users SET is_operator = false WHERE username = 'ann'");
  await report("lamp2");
  await tenMinutesLater();
  await send();
  expect(mails.map(({ to }) => to)).toEqual(["ben@t.example", "ben@t.example"]);
  expect(JSON.stringify(await rows("SELECT * FROM failed_items"))).not.toContain("@");
});
