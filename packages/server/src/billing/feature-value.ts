import { type Static, Type } from 'typebox';

/** What a license says of one feature: whether it is there, how much of it, or which one. */
export const FeatureValue = Type.Union([Type.Boolean(), Type.Number(), Type.String({ maxLength: 255 })], {
  description: 'true, false, a number, or a string of at most 255 characters',
});

export type FeatureValue = Static<typeof FeatureValue>;
