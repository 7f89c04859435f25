import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { createOperatorLink, OPERATOR_LINK_DAYS } from "../operator-link.ts";
import { importFirebase } from "./import-firebase.ts";
import { createResetLink, makeOperator, removeOperator } from "./logins.ts";

const USAGE = `Usage:
  users operator-link             prints a link with which an operator can sign up
  users make-operator <email>     makes a user an operator
  users remove-operator <email>   takes the role from an operator
  users reset-password <email>    prints a link with which a user can choose a new password
  users import-firebase <accounts.json> <hash-parameters>
                                  imports the accounts of Firebase's auth:export, with their passwords`;

interface Command {
  argumentCount: number;
  run(databaseUrl: string, publicBaseUrl: string, args: string[]): Promise<string>;
}

const COMMANDS: Record<string, Command> = {
  "operator-link": {
    argumentCount: 0,
    async run(databaseUrl, publicBaseUrl) {
      const link = await createOperatorLink(databaseUrl, publicBaseUrl);
      return `One person can sign up as an operator here, within ${OPERATOR_LINK_DAYS} days:\n${link}`;
    },
  },
  "make-operator": {
    argumentCount: 1,
    async run(databaseUrl, _publicBaseUrl, [email = ""]) {
      return `${await makeOperator(databaseUrl, email)} is an operator now.`;
    },
  },
  "remove-operator": {
    argumentCount: 1,
    async run(databaseUrl, _publicBaseUrl, [email = ""]) {
      return `${await removeOperator(databaseUrl, email)} is not an operator any more.`;
    },
  },
  "reset-password": {
    argumentCount: 1,
    async run(databaseUrl, publicBaseUrl, [email = ""]) {
      const link = await createResetLink(databaseUrl, publicBaseUrl, email);
      return `With this link a new password for ${email} can be chosen within an hour:\n${link}`;
    },
  },
  "import-firebase": {
    argumentCount: 2,
    run: (databaseUrl, _publicBaseUrl, [accounts = "", parameters = ""]) =>
      importFirebase(databaseUrl, accounts, parameters),
  },
};

/**
 * Runs one of the commands in USAGE and prints its result.
 * @throws UserFacingError if the command is unknown or changes nothing
 */
export async function runUsersCommand(
  databaseUrl: string,
  publicBaseUrl: string,
  [name = "", ...args]: string[],
): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command?.argumentCount !== args.length) throw new UserFacingError(USAGE);
  console.log(await command.run(databaseUrl, publicBaseUrl, args));
}
