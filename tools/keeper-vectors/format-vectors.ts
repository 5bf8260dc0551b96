import { ACQUIRE_SCRIPTS } from './acquire-scripts.ts';
import { ACTIVATION_SCRIPTS } from './activation-scripts.ts';
import { HARDWARE_VECTORS } from './hardware.ts';
import { HOLD_SCRIPTS } from './hold-scripts.ts';
import { OFFLINE_SCRIPTS } from './offline-scripts.ts';
import { OUTAGE_SCRIPTS } from './outage-scripts.ts';
import TEST_KEYS from './test-keys.json' with { type: 'json' };
import {
  AUDIENCE,
  BASE_URL,
  EPOCH_MS,
  HARDWARE_ID,
  LICENSE_KEY,
  LIST_VECTORS,
  TEXTS,
  TOKEN_VECTORS,
} from './tokens.ts';
import { WAIT_SCRIPTS } from './wait-scripts.ts';

const ABOUT = {
  version: 1,
  readme: 'sdks/README.md explains every member.',
  epoch: new Date(EPOCH_MS).toISOString(),
  config: {
    base_url: BASE_URL,
    issuer: BASE_URL,
    audience: AUDIENCE,
    license_key: LICENSE_KEY,
    hardware_id: HARDWARE_ID,
    tokens: ['token-1'],
    timeout_seconds: 30,
    random: 0.5,
    wall_ahead_ms: 0,
  },
};

const SCRIPTS = [
  ...ACQUIRE_SCRIPTS,
  ...WAIT_SCRIPTS,
  ...HOLD_SCRIPTS,
  ...OUTAGE_SCRIPTS,
  ...OFFLINE_SCRIPTS,
  ...ACTIVATION_SCRIPTS,
];

/** The text of sdks/keeper-vectors.json: one line for each token and each step, so that changes can be read. */
export function formatKeeperVectors(): string {
  const members = [
    ...lineByLine(ABOUT),
    member('test_only_private_keys', block(lineByLine(TEST_KEYS), '{}')),
    member('texts', block(lineByLine(TEXTS), '{}')),
    member('tokens', list(TOKEN_VECTORS)),
    member('lists', list(LIST_VECTORS)),
    member('hardware_ids', list(HARDWARE_VECTORS)),
    member('scripts', block(SCRIPTS.map(formatScript), '[]')),
  ];
  return `${block(members, '{}')}\n`;
}

function formatScript({ steps, ...about }: (typeof SCRIPTS)[number]): string {
  return block([...lineByLine(about), member('steps', list(steps))], '{}');
}

function lineByLine(members: object): string[] {
  return Object.entries(members).map(([name, value]) => member(name, JSON.stringify(value)));
}

function list(items: readonly unknown[]): string {
  const texts = items.map((item) => JSON.stringify(item));
  return block(texts, '[]');
}

function member(name: string, value: string): string {
  return `${JSON.stringify(name)}: ${value}`;
}

function block(items: readonly string[], brackets: '{}' | '[]'): string {
  return `${brackets[0]}\n${items.map((item) => item.replaceAll(/^/gm, '  ')).join(',\n')}\n${brackets[1]}`;
}
