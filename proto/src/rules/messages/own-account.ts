export const yourData = "Your data";
export const yourDataText =
  "Download everything we store about you: your account, your links, your sessions and your Amazon Ads data.";
export const downloadData = "Download your data";
export const downloadingData = "Preparing...";
export const failedToDownloadData = "Your data could not be downloaded. Please try again.";
export const exportFileName = (productName: string, date: string) =>
  `${productName.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-account-${date}.json`;

export const amazonAds = "Amazon Ads";
export const amazonAdsText =
  "See whether an Amazon advertising account is connected, connect one, or disconnect it.";
export const manageAmazonAds = "Manage Amazon Ads";

export const deleteAccount = "Delete account";
export const deletingAccount = "Deleting...";
export const deleteAccountText =
  "Deletes your login, all your links and everything else we store about you. Your short links stop working for everyone, and their codes are never used again.";
export const confirmDeleteAccount = "Delete your account permanently?";
export const confirmDeleteAccountText =
  "All your short links stop working, wherever you shared them. This can't be undone.";
export const typeEmailToDelete = (email: string) => `Type ${email} to confirm`;
export const emailDiffers = "This is not your account's email address.";
export const accountDeleted = "Your account has been deleted.";
export const failedToDeleteAccount = "Failed to delete your account. Please try again.";
