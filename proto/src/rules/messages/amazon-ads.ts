export const connectAmazonAds = "Connect Amazon Ads";
export const connectAmazonAdsText =
  "Login with your Amazon account to connect your advertising data";
export const loginWithAmazon = "Login with Amazon";
export const connecting = "Connecting...";
export const failedToGetAuthUrl = "Failed to get authentication URL";
export const failedToInitiateAmazonLogin = "Failed to initiate Amazon login. Please try again.";
export const adsNotConfigured = "Amazon Ads is not set up on this server.";
export const connectedAs = (name: string) => `Connected as ${name}`;
export const adsPurpose = "We don't read campaign figures.";
export const adsConnected = "Amazon Ads is connected.";
export const adsDenied = "You didn't allow access at Amazon, so nothing was connected.";
export const adsFailed = "Amazon Ads could not be connected. Please try again.";
export const adsConnectedSince = (day: string) => `Connected since ${day}`;
export const errorLoadingAds = "Your connection could not be loaded.";
export const disconnect = "Disconnect";
export const disconnecting = "Disconnecting...";
export const confirmDisconnectAds =
  "Are you sure you want to disconnect Amazon Ads? We will delete your Amazon Ads data.";
export const adsDisconnected = "Amazon Ads disconnected";
export const adsDisconnectedText = "Your Amazon Ads data has been deleted.";
export const failedToDisconnectAds = "Failed to disconnect Amazon Ads. Please try again.";
export const adsConsentNote =
  "Disconnecting deletes your Amazon Ads data here. You can also remove the permission at Amazon:";
export const manageAtAmazon = "Manage Login with Amazon";
