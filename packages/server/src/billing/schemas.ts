import { Type } from 'typebox';

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' });

/** A time that may not have come yet; the description says what null means. */
export const timestampOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const Currency = Type.String({ pattern: '^[a-z]{3}$', description: 'ISO 4217, lower case.' });
