export const operatorTab = "Operator";
export const loginSettings = "How people log in";
export const loginSettingsText = "These settings come from the configuration of this site.";
export const loginProvider = "Passwords";
export const loginProviders = {
  "built-in": "Stored by this site",
  firebase: "Stored by Firebase",
} as const;
export const noPasswordLogin = "Not used";
export const signUpSetting = "New accounts";
export const signUpSettings = {
  open: "Everyone can create one",
  invitation: "With an invitation only",
  closed: "No one can create one",
} as const;
export const emailSetting = "Emails";
export const sendsEmail = "Sent by this site";
export const sendsNoEmail =
  "Not sent: SMTP_FROM is not set. Users cannot reset a password or confirm an address.";
export const openIdSetting = "OpenID Connect";
export const openIdProvider = (name: string, issuer: string) => `${name}, ${issuer}`;
export const openIdNotConfigured = "Not configured";
export const openIdCallback = "Callback address";
export const openIdCallbackText = "Enter it at the OpenID provider.";
export const copyCallback = "Copy callback address";
export const callbackCopied = "Callback address copied to clipboard";
export const failedToCopyByHand = "The browser did not allow copying. Please copy it by hand.";
export const loginSettingsNotLoaded = "The settings could not be loaded.";

export const invitations = "Invitations";
export const invitationsText = "Each link lets one person create an account, for 7 days.";
export const noInvitations = "There are no open invitations.";
export const invitationsNotLoaded = "The invitations could not be loaded.";
export const newInvitation = "Invite a user";
export const createInvitation = "Create invitation";
export const creatingInvitation = "Creating...";
export const invitationEmail = "Email (optional)";
export const invitationEmailHint = "We send the link to this address if this site sends emails.";
export const failedToCreateInvitation = "Failed to create the invitation. Please try again.";
export const invitationReplyLost =
  "No success message arrived. If the invitation is in the list, delete it and create another one.";
export const copyInvitationNow = "Copy the link now";
export const invitationCreated = "It is not shown again. Send it to the person that you invite.";
export const invitationSent = (email: string) =>
  `We sent it to ${email}. You can also pass it on yourself. It is not shown again.`;
export const copyInvitation = "Copy invitation";
export const invitationCopied = "Invitation copied to clipboard";
export const invitationSaved = "Done";
export const invitationWithoutEmail = "A link";
export const invitationUntil = (created: string, expires: string) =>
  `Created ${created}, expires ${expires}`;
export const deleteInvitation = "Delete";
export const deleteInvitationOf = (name: string) => `Delete ${name}`;
export const deletingInvitation = "Deleting...";
export const confirmDeleteInvitation = (name: string) => `Delete the invitation "${name}"?`;
export const deleteInvitationConsequence = "Its link stops working.";
export const invitationDeleted = "The invitation has been deleted.";
export const invitationDeletedBefore = "This invitation was already used or deleted.";

export const proofOfWorkRequired =
  "Many links are being created right now. Please try again on the website, or in a minute.";
export const secondFactorElsewhere = "This account logs in at another identity provider.";
export const operatorAccount =
  "This user is an operator. Remove that role first, by the command users remove-operator.";
export const lastOperator = "You are the only operator. Make another user an operator first.";
export const ownAccountFixed = "You cannot disable or delete your own account here.";
export const usernameDiffers = "This is not the username of the account.";
