import type { ChangeOperatorLicenseBody } from '@seathold/client';
import { CommandFailure } from '../../command-failure.ts';
import { given } from '../../operator/options.ts';

type Policy = NonNullable<ChangeOperatorLicenseBody['policy']>;

/** The policy of a license, from `name=value` pairs. An empty value is inherited again. */
export function parsePolicy(pairs: Readonly<Record<string, string>>): Policy {
  const unknown = Object.keys(pairs).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new CommandFailure('invalid_argument', `A policy has no ${unknown}. It has ${NAMES.join(', ')}.`);
  }
  return given({
    activation: readActivation(pairs.activation),
    max_offline_seconds: readNumber('max_offline_seconds', pairs.max_offline_seconds),
    min_online_seats: readNumber('min_online_seats', pairs.min_online_seats),
    max_activations: readNumber('max_activations', pairs.max_activations),
    node_locked: readBoolean('node_locked', pairs.node_locked),
    heartbeat_interval: readNumber('heartbeat_interval', pairs.heartbeat_interval),
    session_timeout: readNumber('session_timeout', pairs.session_timeout),
    allowed_users: readList(pairs.allowed_users),
  });
}

const NAMES = [
  'activation',
  'max_offline_seconds',
  'min_online_seats',
  'max_activations',
  'node_locked',
  'heartbeat_interval',
  'session_timeout',
  'allowed_users',
];

function readActivation(text: string | undefined): Policy['activation'] {
  if (text === undefined || text === 'account' || text === 'key') {
    return text;
  }
  return text === '' ? null : refuse('activation', 'account or key');
}

function readNumber(name: string, text: string | undefined): number | null | undefined {
  if (text === undefined || text === '') {
    return text === '' ? null : undefined;
  }
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(name, 'a whole number');
}

function readBoolean(name: string, text: string | undefined): boolean | null | undefined {
  if (text === undefined || text === '') {
    return text === '' ? null : undefined;
  }
  return text === 'true' || text === 'false' ? text === 'true' : refuse(name, 'true or false');
}

function readList(text: string | undefined): string[] | null | undefined {
  if (text === undefined || text === '') {
    return text === '' ? null : undefined;
  }
  return text.split(',').map((each) => each.trim());
}

function refuse(name: string, form: string): never {
  throw new CommandFailure('invalid_argument', `${name} must be ${form}.`);
}
