import type { Script } from './script.ts';
import {
  acquire,
  activate,
  ended,
  granted,
  heartbeat,
  iso,
  KEPT,
  keys,
  list,
  lost,
  OK,
  REFUSED,
  result,
  SEAT,
} from './steps.ts';

const ACTIVATED = OK(
  { activation_token: 'svc_act_1', activation_id: 'act_1', license_id: 'lic_1', product: 'studio' },
  201,
);

/** Machines without an account. */
export const ACTIVATION_SCRIPTS: readonly Script[] = [
  {
    name: 'a machine without a token is activated with the license key',
    config: { tokens: [] },
    steps: [
      activate(0, ACTIVATED),
      { at: 0, stored: { activation_token: 'svc_act_1' } },
      acquire(0, OK(SEAT(), 201), {}, { token: 'svc_act_1' }),
      keys(0),
      granted(0, 'acquired'),
      result(0, 'granted'),
      list(0),
      heartbeat(30_000, OK(KEPT()), undefined, { token: 'svc_act_1' }),
    ],
  },
  {
    name: 'an activation that is refused ends the acquire',
    config: { tokens: [] },
    steps: [
      activate(0, REFUSED(409, 'activation_limit_reached', { details: { max_activations: 50 } })),
      result(0, 'activation_limit_reached'),
      ended(0),
    ],
  },
  {
    name: 'an activation waits for its turn under the limit',
    config: { tokens: [], timeout_seconds: 120 },
    steps: [
      activate(0, REFUSED(429, 'rate_limit_exceeded', { headers: { 'retry-after': '60' } })),
      activate(60_500, ACTIVATED),
      acquire(60_500, OK(SEAT(), 201), {}, { token: 'svc_act_1' }),
      keys(60_500),
      granted(60_500, 'acquired'),
      result(60_500, 'granted'),
      list(60_500),
    ],
  },
  {
    name: 'a stored activation is used, and replaced once if it is refused',
    config: { tokens: [] },
    stored: { keys: '@keys.first', revocations: '@list.empty', seen_at: iso(-1000), activation_token: 'svc_act_0' },
    steps: [
      acquire(0, REFUSED(401, 'invalid_token'), {}, { token: 'svc_act_0' }),
      activate(0, ACTIVATED),
      acquire(0, OK(SEAT(), 201), {}, { token: 'svc_act_1' }),
      granted(0, 'acquired'),
      result(0, 'granted'),
      list(0),
    ],
  },
  {
    name: 'an activation that an admin revoked ends the seat',
    config: { tokens: [] },
    stored: { keys: '@keys.first', revocations: '@list.empty', seen_at: iso(-1000), activation_token: 'svc_act_0' },
    steps: [
      acquire(0, OK(SEAT(), 201), {}, { token: 'svc_act_0' }),
      granted(0, 'acquired'),
      result(0, 'granted'),
      list(0),
      heartbeat(30_000, REFUSED(401, 'invalid_token'), undefined, { token: 'svc_act_0' }),
      lost(30_000, 'invalid_token', true),
      ended(30_000),
    ],
  },
];
