export const proofOfWorkRequired =
  "Many links are being created right now. Please try again on the website, or in a minute.";
export const secondFactorElsewhere = "This account logs in at another identity provider.";
export const operatorAccount =
  "This user is an operator. Remove that role first, by the command users remove-operator.";
export const lastOperator = "You are the only operator. Make another user an operator first.";
export const ownAccountFixed = "You cannot disable or delete your own account here.";
export const usernameDiffers = "This is not the username of the account.";
