/** The User-Agent of outgoing requests: product name, site and contact. */
export function userAgentFor(settings: {
  PRODUCT_NAME: string;
  PUBLIC_BASE_URL: string;
  CONTACT_EMAIL: string;
}): string {
  const { PRODUCT_NAME, PUBLIC_BASE_URL, CONTACT_EMAIL } = settings;
  return `${PRODUCT_NAME}/1.0 (+${PUBLIC_BASE_URL}; ${CONTACT_EMAIL})`;
}
