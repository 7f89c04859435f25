/** The only client of Login with Amazon. */
export const ADS_CLIENT = {
  id: "amzn1.application-oa2-client.stand-in",
  secret: "amzn1.oa2-cs.v1.stand-in-secret",
};
