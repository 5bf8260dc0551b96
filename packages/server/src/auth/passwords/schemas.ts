import { Type } from 'typebox';

/** A password about to be set. One that was set before other rules held is no such. */
export const NewPassword = Type.String({
  minLength: 10,
  maxLength: 256,
  description: "Must not be a common password, the user's name, or the email address.",
});

/** A password that is only compared. */
export const PresentPassword = Type.String({ minLength: 1, maxLength: 256 });
