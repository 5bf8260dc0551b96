import { expect, it } from 'vitest';
import { introduce } from './introduce.ts';

const DEMONSTRATION = {
  email: 'demo@example.com',
  password: 'a loom that weaves algebra',
  apiToken: 'svc_test_1',
  licenseKey: 'AB1CD-2EF3G-4HJ5K-6MN7P',
};

it.for([
  ['https://localhost:8444', 'run `npx seathold login --sandbox`, then'],
  ['https://localhost:9444', 'run `npx seathold login --sandbox --base-url https://localhost:9444`, then'],
] as const)('a new sandbox at %s says how to log in there', ([url, expected]) => {
  expect(introduce(url, undefined, DEMONSTRATION).join('\n')).toContain(expected);
});
