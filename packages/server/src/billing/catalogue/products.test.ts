import { describe, expect } from 'vitest';
import { catalogueFile, catalogueFileWith } from '../../../test/catalogue/catalogue-files.ts';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import { findProduct } from '../products/queries.ts';
import { type ApplyOptions, applyCatalogue } from './apply-catalogue.ts';
import { type CatalogueFault, CatalogueRefused, InvalidCatalogue } from './catalogue.ts';
import { getCatalogue } from './get-catalogue.ts';
import { parseCatalogue } from './parse-catalogue.ts';
import { writeCatalogue } from './write-catalogue.ts';

const STUDIO = {
  key: 'studio',
  name: 'Studio for desktops',
  features: { export_4k: { type: 'boolean', name: '4K export' }, 'Max.projects': { type: 'number' } },
  policy: { max_offline_seconds: 86_400, activation: 'key' },
};

it.beforeEach(async ({ app }) => {
  for (const table of ['plans', 'coupons', 'meters', 'products']) {
    await execute(app.database, `delete from ${table}`);
  }
});

const apply = (app: TestApp, text: string, options: ApplyOptions = {}) =>
  applyCatalogue(app.database, parseCatalogue(text), options);

/** All reasons why a file is refused. */
async function faultsOf(work: () => Promise<unknown>): Promise<string[]> {
  try {
    await work();
  } catch (error) {
    if (error instanceof InvalidCatalogue || error instanceof CatalogueRefused) {
      return error.problems.map(({ name, problem }: CatalogueFault) => `${name} ${problem}`);
    }
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the products of a catalogue', () => {
  it('are derived from the plans that name them, and get what later plans add', async ({ app }) => {
    await apply(app, catalogueFileWith());
    expect(await findProduct(app.database, { key: 'studio' })).toMatchObject({
      source: 'derived',
      features: { export_4k: { type: 'boolean', name: 'export_4k' } },
    });
    const [change] = await apply(app, catalogueFileWith(['plans.0.license_features.layers', 7]));
    expect(change).toMatchObject({
      kind: 'product',
      action: 'changed',
      fields: [{ field: 'features.layers', before: null, after: 'number' }],
    });
  });

  it('are described in their own section, which applies again without a change', async ({ app }) => {
    const file = catalogueFileWith(
      ['products', [STUDIO]],
      ['plans.0.policy', { node_locked: false, min_online_seats: 2 }],
    );
    expect((await apply(app, file))[0]).toMatchObject({ kind: 'product', key: 'studio', action: 'added' });
    expect(await findProduct(app.database, { key: 'studio' })).toEqual({
      ...STUDIO,
      features: {
        export_4k: { type: 'boolean', name: '4K export' },
        'Max.projects': { type: 'number', name: 'Max.projects' },
      },
      source: 'declared',
    });
    expect(await apply(app, file)).toEqual([]);
    const shown = writeCatalogue(await getCatalogue(app.database));
    expect(await apply(app, shown)).toEqual([]);
    expect(shown).toContain('max_offline_seconds: 86400');
  });

  it('are kept when a file no longer describes them', async ({ app }) => {
    await apply(app, catalogueFileWith(['products', [STUDIO]]));
    expect(await apply(app, catalogueFileWith())).toEqual([]);
    expect(await findProduct(app.database, { key: 'studio' })).toMatchObject({ source: 'declared' });
  });

  it('show one heartbeat time of a plan as part of its policy, and apply again without a change', async ({ app }) => {
    const file = catalogueFileWith(['plans.0.heartbeat', undefined], ['plans.0.policy', { session_timeout: 600 }]);
    await apply(app, file);
    const shown = writeCatalogue(await getCatalogue(app.database));
    expect(shown).toContain('session_timeout: 600');
    expect(await apply(app, shown)).toEqual([]);
  });

  it('refuse a plan that gives its licenses an unknown feature or one of another type', async ({ app }) => {
    const described = [
      'products',
      [{ ...STUDIO, features: { export_4K: { type: 'boolean' }, layers: { type: 'number' } } }],
    ] as const;
    const file = catalogueFileWith(described, ['plans.0.license_features.layers', 'many']);
    expect(await faultsOf(() => apply(app, file))).toEqual([
      'plans[0].license_features.export_4k is not a feature of studio. Did you mean export_4K?',
      'plans[0].license_features.layers must be a number, as the product studio says',
    ]);
    expect(await findProduct(app.database, { key: 'studio' })).toBeUndefined();
  });

  it('keep the features that licenses use', async ({ app }) => {
    const withLayers = { ...STUDIO, features: { ...STUDIO.features, layers: { type: 'number' } } };
    await apply(app, catalogueFileWith(['products', [withLayers]]));
    const without = catalogueFileWith(['products', [STUDIO]]);
    const options = (used: string[]): ApplyOptions => ({
      listUsedFeatures: async (_tx, product, features) =>
        product === 'studio' ? features.filter((each) => used.includes(each)) : [],
    });
    expect(await faultsOf(() => apply(app, without, options(['layers'])))).toEqual([
      'the product studio has licenses with layers, so features.layers (number → null) cannot change',
    ]);
    expect(await apply(app, without, options(['export_4k']))).toMatchObject([{ kind: 'product', action: 'changed' }]);
  });

  it('must be described correctly', async () => {
    const wrong = (product: object) => faultsOf(async () => parseCatalogue(catalogueFileWith(['products', [product]])));
    expect(await wrong({ key: 'studio', features: { 'bad name': { type: 'number' } } })).toEqual([
      'products[0].features."bad name" must have a name with 1 to 64 letters, digits, and . _ -, beginning with a letter',
    ]);
    expect(await wrong({ key: 'studio', features: { layers: { type: 'date' } } })).toEqual([
      'products[0].features.layers.type must be boolean, number, or string',
    ]);
    expect(await wrong({ key: 'studio', features: { ai_assistance: { type: 'number' } } })).toEqual([
      'products[0].features.ai_assistance.type must be boolean, because every license has it',
    ]);
    expect(await wrong({ key: 'studio', policy: { heartbeat_interval: 60, session_timeout: 60 } })).toEqual([
      'products[0].policy.session_timeout must be longer than heartbeat_interval (60 s), or sessions time out between heartbeats',
    ]);
    expect((await wrong({ key: 'studio', policy: { allowed_users: null } }))[0]).toMatch(
      /^products\[0\]\.policy\.allowed_users is unknown/,
    );
  });

  it('cannot be described twice, and a plan’s heartbeats cannot be set twice', async () => {
    const twice = catalogueFileWith(['products', [STUDIO, STUDIO]]);
    expect((await faultsOf(async () => parseCatalogue(twice)))[0]).toBe(
      'products[1].key must not be studio, because products[0] already uses it',
    );
    const both = catalogueFileWith(['plans.0.policy', { session_timeout: 600 }]);
    expect(await faultsOf(async () => parseCatalogue(both))).toEqual([
      'plans[0].policy.session_timeout must not be set, because heartbeat is',
    ]);
  });

  it('are empty for a file written before products existed', () => {
    expect(catalogueFile()).not.toHaveProperty('products');
    expect(parseCatalogue(catalogueFileWith()).products).toEqual([]);
  });
});
