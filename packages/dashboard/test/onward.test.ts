import { expect, it } from 'vitest';
import { readOnward } from '../src/access/onward.ts';

it.each(['/', '/api-keys', '/licenses/lic_1?tab=seats', '/events#newest'])(
  'a login redirects to %s of this dashboard',
  (next) => {
    expect(readOnward({ next })).toEqual({ next });
  },
);

it.each([
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/\n/evil.example',
  '\t//evil.example',
  'https://evil.example/',
  'https://here.invalid/x',
  'javascript:alert(1)',
  'evil.example',
  '',
  undefined,
  ['/api-keys'],
])('a login never redirects to %j', (next) => {
  expect(readOnward({ next })).toEqual({});
});

it('a redirect leaves nothing that another parser could read as another site', () => {
  expect(readOnward({ next: '/x/..//evil.example' })).toEqual({});
  expect(readOnward({ next: '/.//evil.example' })).toEqual({});
});
