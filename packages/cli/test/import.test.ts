import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { execute } from '../../server/test/harness/index.ts';
import { createRemoteTest } from './remote-world.ts';

const it = createRemoteTest()
  .extend('bring', ({ world, remote }) => async (content: string, words: readonly string[] = [], name = 'file.csv') => {
    const path = join(world.folder, name);
    await writeFile(path, content);
    const { code, stdout, stderr } = await remote(['import', path, ...words]);
    return { code, stdout, errors: stderr.replaceAll(path, name).trimEnd().split('\n') };
  })
  .extend('product', { scope: 'file' }, async ({ app }) => {
    await execute(
      app.database,
      `insert into products (key, name, features, source, created_at, updated_at)
        values ('studio', 'Studio', '{"layers": {"type": "number", "name": "Layers"}}', 'declared', clock_timestamp(),
          clock_timestamp())`,
    );
    return 'studio';
  })
  .extend('counts', ({ app }) => async () => {
    const [counts] = await execute(
      app.database,
      `select (select count(*)::int from organizations where external_id like 'crm-%') as organizations,
        (select count(*)::int from invitations where email like '%.example' and revoked_at is null) as invitations,
        (select count(*)::int from licenses where external_id is not null) as licenses,
        (select count(*)::int from license_key_aliases) as aliases`,
    );
    return counts;
  });

const CUSTOMERS = `kind,external_id,name,admin_email,organization,email,role,product,max_seats,expires_at,key_aliases,features.layers
organization,crm-1,"Smith, Jones & Co",admin@smith.example,,,,,,,,
organization,crm-2,Globex,admin@globex.example,,,,,,,,
user,,,,crm-1,jane@smith.example,billing,,,,,
license,lic-1,,,crm-1,,,studio,25,2027-12-31,OLD-1111-AAAA; 4711/0815,12
license,lic-2,,,crm-2,,,studio,5,never,,
`;

const totals = (changed: 'created' | 'updated' | 'unchanged', [organizations, users, licenses]: readonly number[]) => {
  const none = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  return {
    organization: { ...none, [changed]: organizations },
    user: { ...none, [changed]: users },
    license: { ...none, [changed]: licenses },
  };
};

describe('seathold import', () => {
  it('shows in a dry run what it would do, then does it, and changes nothing the second time', async ({
    bring,
    counts,
    product: _product,
  }) => {
    const planned = await bring(CUSTOMERS, ['--dry-run', '--json']);
    expect(planned.code).toBe(0);
    expect(JSON.parse(planned.stdout)).toEqual({
      dry_run: true,
      lines: 5,
      invalid: 0,
      ...totals('created', [2, 1, 2]),
    });
    expect(await counts()).toEqual({ organizations: 0, invitations: 0, licenses: 0, aliases: 0 });
    const done = await bring(CUSTOMERS, ['--json']);
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, totals('created', [2, 1, 2])]);
    const there = { organizations: 2, invitations: 3, licenses: 2, aliases: 2 };
    expect(await counts()).toEqual(there);
    const again = await bring(CUSTOMERS, ['--json']);
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, totals('unchanged', [2, 1, 2])]);
    expect(await counts()).toEqual(there);
  });

  it('changes only what differs', async ({ bring, remote, counts }) => {
    const before = await counts();
    const changed = CUSTOMERS.replace('studio,25', 'studio,30')
      .replace('Globex', 'Globex Corporation')
      .replace('jane@smith.example,billing', 'jane@smith.example,admin');
    const { stdout } = await bring(changed, ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      organization: { created: 0, updated: 1, unchanged: 1 },
      user: { created: 0, updated: 1, unchanged: 0 },
      license: { created: 0, updated: 1, unchanged: 1 },
    });
    expect(await counts()).toEqual(before);
    const licenses = JSON.parse((await remote(['license', 'list', '--json'])).stdout);
    const license = licenses.find((each: { external_id: string }) => each.external_id === 'lic-1');
    expect(license).toMatchObject({
      max_seats: 30,
      expires_at: '2027-12-31T00:00:00.000Z',
      key_aliases: ['4711/0815', 'OLD-1111-AAAA'],
      features: { layers: 12, ai_assistance: false },
    });
  });

  it('imports nothing if a line is wrong, and reports every wrong line', async ({ bring, counts }) => {
    const before = await counts();
    const wrong = CUSTOMERS.replaceAll('crm-', 'crm-new-')
      .replace('studio,25', 'studio,many')
      .replace('admin@globex.example', 'globex')
      .replace('studio,5,never', 'studio,5,');
    const { code, stdout, errors } = await bring(wrong);
    expect([code, stdout]).toEqual([2, '']);
    expect(errors).toEqual([
      'file.csv:3: admin_email must be an email address.',
      'file.csv:5: max_seats must be integer.',
      'file.csv:6: expires_at is missing.',
      'seathold: Nothing was imported: 3 of 5 lines have errors.',
    ]);
    expect(await counts()).toEqual(before);
  });

  it.for(['--dry-run', undefined])(
    'reports the lines that the service refuses, and imports the others: %s',
    async (word, { bring }) => {
      const line = (id: string, more: object) =>
        JSON.stringify({
          kind: 'license',
          external_id: id,
          organization: 'crm-1',
          product: 'studio',
          max_seats: 1,
          expires_at: 'never',
          ...more,
        });
      const lines = [
        line('lic-3', { organization: 'crm-nobody' }),
        line('lic-4', { product: 'studoi' }),
        line('lic-5', { key_aliases: ['OLD-1111-AAAA'] }),
        line('lic-6', { features: { layer: 3 } }),
        line(`lic-7${word ?? ''}`, {}),
      ];
      const { code, stdout, errors } = await bring(lines.join('\n'), word === undefined ? [] : [word], 'file.jsonl');
      expect([code, stdout]).toMatchObject([1, expect.stringContaining('1 created, 0 updated, 0 unchanged, 4 failed')]);
      expect(errors.slice(0, -1).sort()).toEqual([
        'file.jsonl:1: There is no organization "crm-nobody".',
        expect.stringMatching(/^file\.jsonl:2: There is no product "studoi"\./),
        'file.jsonl:3: Another license has the key "OLD-1111-AAAA".',
        expect.stringMatching(/^file\.jsonl:4: features\.layer is not a feature of studio\./),
      ]);
    },
  );

  it('resumes where a kill stopped it, and creates nothing twice', async ({ app, world, remote, createToken }) => {
    const path = join(world.folder, 'many.jsonl');
    const rows = Array.from({ length: 300 }, (_, index) => ({
      kind: 'license',
      external_id: `many-${index}`,
      organization: 'crm-2',
      product: 'studio',
      max_seats: 1,
      expires_at: 'never',
      key_aliases: [`MANY-${index}`],
    }));
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const count = async () => {
      const rows = await execute(
        app.database,
        "select count(*)::int as n from licenses where external_id like 'many-%'",
      );
      return Number(Object.values(Object(rows[0]))[0]);
    };
    const env = { SEATHOLD_OPERATOR_TOKEN: await createToken('owner') };
    const running = world.start(['import', path, '--url', world.baseUrl, '--concurrency', '4'], { env });
    await expect.poll(() => readFile(`${path}.progress`, 'utf8').catch(() => '')).toContain('"line"');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await count()).toBeLessThan(300);
    const continued = await remote(['import', path, '--json'], env);
    expect(continued.code).toBe(0);
    expect(await count()).toBe(300);
    const { license } = JSON.parse((await remote(['import', path, '--json'], env)).stdout);
    expect(license).toEqual({ created: 0, updated: 0, unchanged: 300, failed: 0 });
  });
});
