import { Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { HARDWARE_ID_FORMAT, Timestamp } from '../schemas.ts';

const ActivationId = Type.String({ pattern: idPattern('activation') });
const LicenseId = Type.String({ pattern: idPattern('license') });

export const ActivationBody = Type.Object(
  {
    license_key: Type.String({ minLength: 1, maxLength: 64 }),
    hardware_id: Type.String({
      published: { pattern: `^${HARDWARE_ID_FORMAT}$` },
      description: `An ID of the machine, chosen by the client, in the format ${HARDWARE_ID_FORMAT}.`,
    }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'What people call the machine.' })),
  },
  { additionalProperties: false },
);

export const Activated = Type.Object(
  {
    activation_token: Type.String({ description: 'Shown once. It works for this license on this machine only.' }),
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
    activated_at: Type.String({ format: 'date-time', description: 'When its token was last made.' }),
  },
  { title: 'LicenseActivation' },
);
