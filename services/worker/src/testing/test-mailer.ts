import type { Mail, Mailer } from "../emails/mailer.ts";

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
