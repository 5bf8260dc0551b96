import { ACQUIRE_SCRIPTS } from './acquire-scripts.ts';
import { HARDWARE_VECTORS } from './hardware.ts';
import { HOLD_SCRIPTS } from './hold-scripts.ts';
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

/** The text of sdks/keeper-vectors.json: one line for each token and each step, so that changes can be read. */
export function formatKeeperVectors(): string {
  const about = {
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
  const scripts = [...ACQUIRE_SCRIPTS, ...WAIT_SCRIPTS, ...HOLD_SCRIPTS, ...OUTAGE_SCRIPTS];
  const members = [
    ...Object.entries(about).map(([name, value]) => member(name, JSON.stringify(value))),
    member(
      'test_only_private_keys',
      lines(
        Object.entries(TEST_KEYS).map(([name, key]) => member(name, JSON.stringify(key))),
        '{}',
      ),
    ),
    member(
      'texts',
      lines(
        Object.entries(TEXTS).map(([name, text]) => member(name, JSON.stringify(text))),
        '{}',
      ),
    ),
    member(
      'tokens',
      lines(
        TOKEN_VECTORS.map((each) => JSON.stringify(each)),
        '[]',
      ),
    ),
    member(
      'lists',
      lines(
        LIST_VECTORS.map((each) => JSON.stringify(each)),
        '[]',
      ),
    ),
    member(
      'hardware_ids',
      lines(
        HARDWARE_VECTORS.map((each) => JSON.stringify(each)),
        '[]',
      ),
    ),
    member('scripts', lines(scripts.map(formatScript), '[]')),
  ];
  return `${lines(members, '{}')}\n`;
}

function formatScript({ name, config, stored, steps }: (typeof ACQUIRE_SCRIPTS)[number]): string {
  const members = Object.entries({ name, config, stored })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => member(key, JSON.stringify(value)));
  return lines(
    [
      ...members,
      member(
        'steps',
        lines(
          steps.map((step) => JSON.stringify(step)),
          '[]',
        ),
      ),
    ],
    '{}',
  );
}

function member(name: string, value: string): string {
  return `${JSON.stringify(name)}: ${value}`;
}

function lines(items: readonly string[], [start, end]: string | readonly string[]): string {
  return `${start}\n${items.map((item) => item.replaceAll(/^/gm, '  ')).join(',\n')}\n${end}`;
}
