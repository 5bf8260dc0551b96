import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { TestApp } from '../../server/test/harness/index.ts';
import { plantSubscription } from '../../server/test/harness/plant-sales.ts';
import { createCliTest } from './cli-world.ts';

let example: string;

const it = createCliTest().extend(
  'catalog',
  ({ world, env }) =>
    (words: readonly string[], stdin = '') =>
      world.run(['catalog', ...words], { env, stdin }),
);
it.beforeAll(async ({ world }) => {
  const page = await readFile(new URL('../../../docs/operating/catalogue.md', import.meta.url), 'utf8');
  example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '';
  await writeFile(join(world.folder, 'example.yaml'), example);
});
const planNames = async (test: TestApp) =>
  (await test.api.get('/v1/plans')).body.data.map((plan: { name: string }) => plan.name);

describe('seathold catalog', () => {
  it('shows what a dry run would change, per environment, and changes nothing', async ({ app, catalog }) => {
    const { code, stdout, stderr } = await catalog(['apply', 'example.yaml', '--dry-run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('production: 8 to change\n  + product studio added\n');
    expect(stdout).toContain('  + plan starter added\n      name: "Starter"\n');
    expect(stdout).toContain('sandbox: 8 to change\n');
    expect(stdout).toContain('  - plan pro archived\n');
    expect(await planNames(app)).toEqual(['Free', 'Pro', 'Enterprise']);
  });

  it('applies the documented example to one environment, then to the other, and then has nothing to do', async ({
    app,
    sandbox,
    catalog,
  }) => {
    const first = await catalog(['apply', 'example.yaml', '--sandbox', '--json']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const { dry_run, environments } = JSON.parse(first.stdout);
    expect(dry_run).toBe(false);
    expect(environments.map((each: { environment: string }) => each.environment)).toEqual(['sandbox']);
    expect(await planNames(sandbox)).toEqual(['Starter', 'Team', 'Enterprise']);
    expect(await planNames(app)).toEqual(['Free', 'Pro', 'Enterprise']);
    const second = await catalog(['apply', '-'], example);
    expect(second.stdout).toMatch(/^production: 8 changed\n.*\nsandbox: no changes\n$/s);
    expect(await planNames(app)).toEqual(['Starter', 'Team', 'Enterprise']);
    const third = await catalog(['apply', 'example.yaml']);
    expect(third.stdout).toBe('production: no changes\nsandbox: no changes\n');
  });

  it('shows a catalogue that changes nothing when applied', async ({ catalog }) => {
    const shown = await catalog(['show']);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    const applied = await catalog(['apply', '-', '--production'], shown.stdout);
    expect(applied).toEqual({ code: 0, stdout: 'production: no changes\n', stderr: '' });
    const json = JSON.parse((await catalog(['show', '--sandbox', '--json'])).stdout);
    expect(json.plans.map((plan: { key: string }) => plan.key)).toEqual(['starter', 'team-2027', 'enterprise']);
  });

  it('changes neither environment when one refuses, and exits with 5', async ({ app, sandbox, catalog }) => {
    const planId = (await sandbox.api.get('/v1/plans')).body.data[1].id;
    await plantSubscription(sandbox, { planId });
    const dearer = example.replace('price: 3900', 'price: 4900');
    const { code, stdout, stderr } = await catalog(['apply', '-'], dearer);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toBe(
      'seathold: No changes were made, because 1 change is not allowed:\n  the plan team-2027 was already sold, so price (3900 → 4900) cannot change. Create a plan with a new key for the new price, and remove team-2027 to stop selling it\n',
    );
    expect((await app.api.get('/v1/plans')).body.data[1].price).toBe(3900);
  });

  it('reports every mistake in a file, and exits with 2', async ({ catalog }) => {
    const wrong = example.replace('price: 3900', 'price: 39.5').replace('tier: free', 'tier: gold');
    const text = await catalog(
      ['apply', '-'],
      example.replace('tier: free', 'tier: gold').replace('grace: 5d', 'grace: 5 days'),
    );
    expect({ code: text.code, stdout: text.stdout }).toEqual({ code: 2, stdout: '' });
    expect(text.stderr).toBe(
      'seathold: The catalogue has 2 errors:\n  plans[0].tier must be free, pro, or enterprise\n  plans[1].grace must be a whole number of seconds, or a number with a unit, such as 3d, 12h, 15m, or 90s\n',
    );
    const json = await catalog(['apply', '-', '--json'], wrong);
    expect(JSON.parse(json.stderr).error).toMatchObject({
      code: 'validation_failed',
      problems: [{ name: 'plans[1].price', problem: 'must be a whole number in plain digits, not 39.5' }],
    });
    expect((await catalog(['apply', 'nowhere.yaml'])).code).toBe(2);
    expect((await catalog(['apply', 'example.yaml', '--sandbox', '--production'])).code).toBe(2);
  });
});
