import { Registry } from "prom-client";
import { createMailer, type Mail, type Mailer } from "../emails/mailer.ts";

/** A mailer that keeps its emails. @param refuse what the server says of an address */
export function createTestMailer(
  mails: { to: string; mail: Mail }[],
  refuse: (to: string) => unknown = () => {},
): Mailer {
  return {
    check: async () => {},
    async send(to, mail) {
      await refuse(to);
      mails.push({ to, mail });
    },
  };
}

export function createSmtpMailer(url: string, registry: Registry = new Registry()): Mailer {
  const from = { name: "Tapthru", address: "mail@tapthru.example" };
  return createMailer({ url, from, requiresTls: false, registry });
}
