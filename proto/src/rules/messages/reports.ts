export const enterShortLink = "Please enter a short link of this site";
export const chooseReason = "Please choose a reason";

/** The email to operators about reported links. */
export const reportNotice = (count: number, productName: string, url: string) => ({
  subject: count === 1 ? `A link of ${productName} was reported` : `${count} links of ${productName} were reported`,
  text: `Visitors reported ${count === 1 ? "a link" : `${count} links`}. Please decide whether to take ${count === 1 ? "it" : "them"} down:\n\n${url}`,
});
