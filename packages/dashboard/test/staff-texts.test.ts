import { describe, expect, it } from 'vitest';
import { forEnvironment } from '../src/app/for-environment.ts';
import { formatProductFeatures, parseProductFeatures } from '../src/staff/catalogue/product-features.ts';
import { formatPairs, parsePairs } from '../src/staff/customers/metadata-pairs.ts';
import { formatFeatures, parseFeatures } from '../src/staff/licenses/feature-lines.ts';
import { amountPattern, parseAmount } from '../src/staff/money/parse-amount.ts';
import { describeMails } from '../src/staff/overview/describe-mails.ts';
import { planSearch } from '../src/staff/search/plan-search.ts';
import { timeOfId } from '../src/staff/search/time-of-id.ts';

describe('an amount of money', () => {
  it.each([
    ['25', 'usd', 2_500],
    ['0.29', 'usd', 29],
    ['1,5', 'eur', 150],
    ['500', 'jpy', 500],
    ['1.234', 'kwd', 1_234],
  ])('of "%s" %s is %d minor units', (text, currency, amount) => {
    expect(text).toMatch(new RegExp(`^${amountPattern(currency)}$`));
    expect(parseAmount(text, currency)).toBe(amount);
  });

  it.each([
    ['0.295', 'usd'],
    ['5.5', 'jpy'],
    ['-5', 'usd'],
    ['', 'usd'],
  ])('of "%s" %s is refused', (text, currency) => {
    expect(text).not.toMatch(new RegExp(`^${amountPattern(currency)}$`));
  });
});

it('features read back as they were written, and text that looks like a number stays text', () => {
  const features = { sso: true, tracks: 64, edition: 'studio: large', year: '2026', quoted: '"a"' };
  expect(parseFeatures(formatFeatures(features))).toEqual(features);
});

it('metadata reads back as it was written, and nothing is null', () => {
  const metadata = { crm: 'A-1', link: 'https://example.com/1' };
  expect(parsePairs(formatPairs(metadata))).toEqual(metadata);
  expect(parsePairs(' \n')).toBeNull();
});

it('features of a product read back as they were written, and invalid lines are reported separately', () => {
  const features = {
    sso: { type: 'boolean', name: 'Single sign-on' },
    tracks: { type: 'number', name: 'tracks' },
  } as const;
  expect(parseProductFeatures(formatProductFeatures(features))).toEqual({
    features: { sso: features.sso, tracks: { type: 'number' } },
    wrong: [],
  });
  expect(parseProductFeatures('sso: yes').wrong).toEqual(['sso: yes']);
});

it('the number of mails is exact below 10,000', () => {
  expect(describeMails(9_999, String)).toBe('9999');
  expect(describeMails(10_000, String)).toBe('10000+');
});

it('an ID reveals when it was created', () => {
  expect(timeOfId('sub_01m85xea2ze1dba26xwdxkde04')).toBe(Date.parse('2026-11-24T04:36:19.679Z'));
  expect(timeOfId('sub_short')).toBeUndefined();
});

it.each([
  ['org_01m85xea0ze10tdewcdypsnv10', 'customers'],
  ['lic_01m85xea34e1c92vp0wmdf36ks', 'license'],
  ['sub_01m85xea2ze1dba26xwdxkde04', 'subscription'],
  ['inv_01m85xea2ze1dba26xwdxkde04', 'invoice'],
  ['pay_01m85xea2ze1dba26xwdxkde04', 'payment'],
  ['XEP2Q-46YYR-ZJ836-VKCDG', 'licensesByKey'],
  ['ada@example.com', 'users'],
  ['ACME-000001', 'invoicesByNumber'],
  ['acme', 'customers'],
])('"%s" is looked for first among %s', (text, place) => {
  expect(planSearch(text)[0]).toBe(place);
});

describe('commands to copy', () => {
  const commands = 'seathold catalog show > catalogue.yaml\nseathold catalog apply catalogue.yaml --dry-run';

  it('act on the sandbox where the dashboard shows it', () => {
    expect(forEnvironment(commands, 'sandbox')).toBe(
      'seathold catalog show --sandbox > catalogue.yaml\nseathold catalog apply catalogue.yaml --dry-run --sandbox',
    );
  });

  it('are as they are in production', () => {
    expect(forEnvironment(commands, 'production')).toBe(commands);
  });
});
