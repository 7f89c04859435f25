// Login
export const enterCode = "Please enter the code of your authenticator app, or a recovery code";
