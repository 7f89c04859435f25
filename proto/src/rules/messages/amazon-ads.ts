export const adsNotConfigured = "Amazon Ads is not set up on this server.";
