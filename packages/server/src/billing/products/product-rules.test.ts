import { describe, expect, it } from 'vitest';
import { nearestOf } from './nearest-key.ts';
import type { Product } from './product.ts';
import { deriveProduct, findFeatureFaults, listTakenFeatures } from './product-rules.ts';

const STUDIO: Product = {
  key: 'studio',
  name: 'Studio',
  features: { projects: { type: 'number', name: 'Projects' }, edition: { type: 'string', name: 'Edition' } },
  policy: {},
  source: 'declared',
};

describe('the features of a license', () => {
  it('match a product that has them, and can always be the four standard ones', () => {
    expect(findFeatureFaults(STUDIO, { projects: 20, edition: 'pro', ai_assistance: false })).toEqual([]);
  });

  it('do not match if one is unknown, and the nearest known one is named', () => {
    expect(findFeatureFaults(STUDIO, { project: 20 })).toEqual([
      { feature: 'project', reason: 'unknown', problem: 'is not a feature of studio. Did you mean projects?' },
    ]);
    expect(findFeatureFaults(STUDIO, { zzz: true })[0]?.problem).toBe('is not a feature of studio.');
  });

  it('do not match if a value has another type', () => {
    expect(findFeatureFaults(STUDIO, { projects: 'many', ai_assistance: 1 }).map(({ problem }) => problem)).toEqual([
      'must be a number, as the product studio says.',
      'must be a boolean, as the product studio says.',
    ]);
  });

  it('are not confused with members that every object has', () => {
    expect(findFeatureFaults(STUDIO, { constructor: true })).toHaveLength(1);
    expect(deriveProduct(STUDIO, 'studio', { toString: 'x' }).features.toString).toEqual({
      type: 'string',
      name: 'toString',
    });
  });
});

describe('a derived product', () => {
  it('has the features that licenses name, with their types', () => {
    const derived = deriveProduct(undefined, 'viewer', { layers: 3, ai_assistance: true });
    expect(derived).toEqual({
      key: 'viewer',
      name: 'viewer',
      features: { layers: { type: 'number', name: 'layers' } },
      policy: {},
      source: 'derived',
    });
    expect(deriveProduct(derived, 'viewer', { layers: 'all' })).toBe(derived);
  });
});

describe('a product change', () => {
  it('takes away features that are removed or have another type, and no others', () => {
    const after: Product = { ...STUDIO, features: { projects: { type: 'string', name: 'Projects' } } };
    expect(listTakenFeatures(STUDIO, after)).toEqual(['projects', 'edition']);
    expect(listTakenFeatures(STUDIO, { ...STUDIO, name: 'Studio 2' })).toEqual([]);
    expect(listTakenFeatures(undefined, STUDIO)).toEqual([]);
  });
});

describe('the nearest known name', () => {
  it('has the fewest edits, in any case', () => {
    expect(nearestOf('Stduio', ['viewer', 'studio', 'render'])).toBe('studio');
    expect(nearestOf('studio_pro', ['studio', 'studio-pro'])).toBe('studio-pro');
    expect(nearestOf('cda', ['cad', 'cam'])).toBe('cad');
  });

  it('is undefined when nothing is near or nothing is known', () => {
    expect(nearestOf('studio', ['ledger', 'x'])).toBeUndefined();
    expect(nearestOf('studio', [])).toBeUndefined();
  });
});
