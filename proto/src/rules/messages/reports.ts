export const enterShortLink = "Please enter a short link of this site";
export const chooseReason = "Please choose a reason";
