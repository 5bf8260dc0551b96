import { Type } from 'typebox';

/** A password to be set. Existing passwords may have been set under other rules. */
export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 256,
  description: "Must not be a common password, the user's name, or the email address.",
});

/** A password that is only compared. */
export const PresentPassword = Type.String({ minLength: 1, maxLength: 256 });
