import { describe, expect, it } from 'vitest';
import { catalogueFile, catalogueFileWith, faultsOf } from '../../../test/catalogue/catalogue-files.ts';

describe('YAML that could mislead', () => {
  const price = (text: string) => catalogueFileWith().replace('price: 1500', `price: ${text}`);

  it.each(['29.00', '1e3', '0x10', '010', '+5', '.inf', '29.5'])('is refused when a price is written as %s', (text) => {
    expect(faultsOf(price(text))).toEqual([`plans[0].price must be a whole number in plain digits, not ${text}`]);
  });

  it.each([
    ['a duplicate key', 'plans: []\nplans: []', /line 2 is not valid YAML: Map keys must be unique/],
    ['a tag', 'plans: !!js/function "x"', /line 1 is not valid YAML: Unresolved tag/],
    ['a set', 'plans: !!set {a, b}', /line 1 is not valid YAML: Unresolved tag/],
    ['two documents', `${catalogueFileWith()}---\n${catalogueFileWith()}`, /multiple documents/],
    ['a broken line', 'plans: [', /^line \d+ is not valid YAML/],
    ['an undefined alias', 'plans: *none', /Unresolved alias/],
    ['a key that is not text', 'plans: {[1]: 2}', /is not valid YAML/],
    ['NUL', 'plans: "\\0"', /plans must not contain NUL characters or lone surrogates/],
    ['a lone surrogate', 'plans: "\\ud800"', /plans must not contain NUL characters or lone surrogates/],
    ['too many bytes', `plans: "${'x'.repeat(1_100_000)}"`, /^the file must be at most 1048576 bytes$/],
    ['excessive nesting', `plans: ${'['.repeat(200_000)}`, /./],
  ])('with %s is refused', (_, text, expected) => {
    const faults = faultsOf(text);
    expect(faults.join('\n')).toMatch(expected);
    expect(faults.length).toBeLessThanOrEqual(100);
  });

  it('cannot grow through nested aliases', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 9; level += 1) {
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    }
    expect(faultsOf(lines.join('\n'))).toEqual([
      'the file cannot be read: Excessive alias count indicates a resource exhaustion attack',
    ]);
  });

  it('cannot reach JavaScript internals through its keys', () => {
    const faults = faultsOf(`__proto__: {polluted: true}\n${catalogueFileWith()}`);
    expect(faults).toEqual(['__proto__ is unknown. Known names: products, plans, coupons, meters']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(catalogueFile().plans).toHaveLength(2);
  });
});
