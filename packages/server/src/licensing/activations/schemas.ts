import { Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { HARDWARE_ID_FORMAT, Timestamp } from '../schemas.ts';

const ActivationId = Type.String({ pattern: idPattern('activation') });
const LicenseId = Type.String({ pattern: idPattern('license') });

export const ActivationBody = Type.Object(
  {
    license_key: Type.String({ minLength: 1, maxLength: 128 }),
    hardware_id: Type.String({
      published: { pattern: `^${HARDWARE_ID_FORMAT}$` },
      description: `An ID of the machine, chosen by the client, in the format ${HARDWARE_ID_FORMAT}.`,
    }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'A name for the machine.' })),
  },
  { additionalProperties: false },
);

export const Activated = Type.Object(
  {
    activation_token: Type.String({
      description: 'The token is shown only once. It works only for this license on this machine.',
    }),
    activation_id: ActivationId,
    license_id: LicenseId,
    product: Type.String(),
  },
  { title: 'ActivatedLicense' },
);

export const Activation = Type.Object(
  {
    id: ActivationId,
    license_id: LicenseId,
    hardware_id: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    created_at: Timestamp,
    activated_at: Type.String({ format: 'date-time', description: 'When its current token was created.' }),
  },
  { title: 'LicenseActivation' },
);
