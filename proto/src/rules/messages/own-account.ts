// The sections of the account
export const profile = "Profile";
export const security = "Security";
export const developers = "Developers";

export const nameAndLogin = "Name and login";
export const change = "Change";
export const changeUsername = "Change username";
export const changeEmail = "Change email";
export const changePassword = "Change password";
export const newUsername = "New username";
export const newEmail = "New email";
export const newEmailHint =
  "We send a link to this address. Your email changes when you open the link.";
export const sendLink = "Send link";
export const newPassword = "New password";
export const confirmNewPassword = "Confirm new password";
export const currentPassword = "Current password";
export const changePasswordText = "Changing your password logs you out in all other browsers.";
export const enterCurrentPassword = "Please enter your current password";
export const wrongPassword = "This is not your current password.";
export const sameEmail = "This is already your email address.";
export const emailChangeSent = (email: string) =>
  `We sent a link to ${email}. Open it to confirm the change. You may then have to log in with the new address. If no email arrives, check the address: it may be misspelled or already in use.`;
export const usernameChanged = "Your username has been changed.";
export const passwordChanged =
  "Your password has been changed. You are logged out in all other browsers.";
export const onlyPasswordChanged =
  "Your password has been changed. Other browsers are logged out within 15 minutes.";
export const failedToChangeUsername = "Failed to change your username. Please try again.";
export const failedToChangeEmail = "Failed to change your email. Please try again.";
export const failedToChangePassword = "Failed to change your password. Please try again.";

export const yourData = "Your data";
export const downloadTitle = "A copy of your data";
export const downloadText =
  "Everything we store about you in one file, such as your account, your links, your tags and your sessions.";
export const downloadData = "Download your data";
export const downloadingData = "Preparing...";
export const failedToDownloadData = "Your data could not be downloaded. Please try again.";
export const exportFileName = (productName: string, date: string) =>
  `${productName.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-account-${date}.json`;

export const deleteAccount = "Delete account";
export const deletingAccount = "Deleting...";
export const deleteAccountText =
  "Deletes your login, all your links and everything else we store about you. Your short links stop working for everyone, and their codes are never used again.";
export const confirmDeleteAccount = "Delete your account permanently?";
export const confirmDeleteAccountText =
  "All your short links stop working, wherever you shared them. This can't be undone.";
export const typeEmailToDelete = (email: string) => `Type ${email} to confirm`;
export const emailDiffers = "This is not your account's email address.";
export const recentLoginRequired =
  "Your last login was a while ago. Please confirm that it is you.";
export const accountDeleted = "Your account has been deleted.";
export const failedToDeleteAccount = "Failed to delete your account. Please try again.";

// Lists of things that can be revoked
export const revoke = "Revoke";
export const revoking = "Revoking...";
export const revokeItem = (name: string) => `Revoke ${name}`;
export const confirmRevoke = (name: string) => `Revoke "${name}"?`;
export const failedToRevoke = "No success message arrived. Please check the list and try again.";
