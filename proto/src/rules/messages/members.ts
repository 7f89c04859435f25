import { MEMBERS_MAX_COUNT } from "../limits.ts";

export const notAMember = "You are not a member of this account.";
export const alreadyMember = "You already have access to this account.";
export const roleRequired = "Your role in this account does not allow this.";
export const otherAccount = "This can only be done for your own account. Leave out the account.";
export const tooManyMembers = `An account can have ${MEMBERS_MAX_COUNT} members, including open invitations, and a user can be a member of ${MEMBERS_MAX_COUNT} accounts.`;
