export const enterCurrentPassword = "Please enter your current password";

export const emailDiffers = "This is not your account's email address.";
export const recentLoginRequired =
  "Your last login was a while ago. Please confirm that it is you.";
export const accountDeleted = "Your account has been deleted.";
