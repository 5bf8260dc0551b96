import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect } from 'vitest';
import { keyIdOf } from '../../server/src/security/index.ts';
import { createEmptyDatabase } from '../../server/test/harness/clone-database.ts';
import { execute, type Member, type TestApp } from '../../server/test/harness/index.ts';
import { MovedClock, registerWithTwoFactor } from '../../server/test/harness/two-factor.ts';
import { createProgram } from '../src/create-program.ts';
import { entriesAt, entriesOf } from './audit-entries.ts';
import { type CliWorld, createCliTest } from './cli-world.ts';
import { WITHOUT_ENTRY } from './commands-without-entry.ts';
import { API_COMMANDS } from './operation-commands.ts';

const clock = new MovedClock();
const it = createCliTest({ clock })
  .extend('made', ({ world, env }) => async (name: string): Promise<string> => {
    const { stdout } = await world.run(['operator', 'token', 'create', '--name', name, '--json'], { env });
    const { id, token } = JSON.parse(stdout);
    world.app.api.secrets.note('an operator token', token);
    return id;
  })
  /** The address of a new staff member. */
  .extend('employed', ({ world, env, app }) => async (): Promise<string> => {
    const { email } = await app.register();
    await world.run(['staff', 'add', email, '--role', 'viewer'], { env });
    return email;
  })
  /** An orphaned payment. */
  .extend('plantOrphan', ({ sandbox }) => async (organizationId: string): Promise<string> => {
    const id = `pay_${organizationId.slice('org_'.length)}`;
    await execute(
      sandbox.database,
      `insert into orphaned_payments (id, provider, provider_ref, organization_id, amount, currency, status, reason,
        created_at, found_at)
      values ($1, 'test', 'pi_' || $1::text, $2, 100, 'usd', 'orphaned', 'no_reason', clock_timestamp(),
        clock_timestamp())`,
      [id, organizationId],
    );
    return id;
  });

/** What the commands work on. */
interface Scene {
  app: TestApp;
  sandbox: TestApp;
  world: CliWorld;
  env: Record<string, string>;
  admin: Member;
  made(name: string): Promise<string>;
  employed(): Promise<string>;
  plantOrphan(organizationId: string): Promise<string>;
}

/** What a command did, the log that must record it, and the event that announces it. */
interface Written {
  words: readonly string[];
  action: string;
  organizationId: string;
  event?: string;
  /** Whether the entry is in the sandbox's database. */
  isSandbox?: boolean;
}

const INSTALLATION = 'installation';

async function onLicense(world: CliWorld, admin: Member, ...words: string[]): Promise<readonly string[]> {
  const { id } = await world.app.issueLicense(admin.organizationId);
  return ['license', words[0] ?? '', id, ...words.slice(1)];
}

/** A successful run of each command that writes. */
const WRITES: Readonly<Record<string, (scene: Scene) => Promise<Written>>> = {
  'license issue': async ({ admin }) => ({
    words: ['license', 'issue', '--organization', admin.email, '--product', 'seathold-demo', '--seats', '5'],
    action: 'license.issued',
    organizationId: admin.organizationId,
    event: 'license.created',
  }),
  'license suspend': async ({ admin, world }) => {
    const words = await onLicense(world, admin, 'suspend');
    return { words, action: 'license.suspended', organizationId: admin.organizationId, event: 'license.suspended' };
  },
  'license reinstate': async ({ admin, world, env }) => {
    const words = await onLicense(world, admin, 'reinstate');
    await world.run(['license', 'suspend', words[2] ?? ''], { env });
    const action = 'license.reinstated';
    return { words, action, organizationId: admin.organizationId, event: action };
  },
  'license revoke': async ({ admin, world }) => {
    const words = await onLicense(world, admin, 'revoke');
    return { words, action: 'license.revoked', organizationId: admin.organizationId, event: 'license.revoked' };
  },
  'license extend': async ({ admin, world }) => {
    const words = await onLicense(world, admin, 'extend', '2099-01-01T00:00:00Z');
    return { words, action: 'license.extended', organizationId: admin.organizationId, event: 'license.updated' };
  },
  'license seats': async ({ admin, world }) => {
    const words = await onLicense(world, admin, 'seats', '7');
    return { words, action: 'license.resized', organizationId: admin.organizationId, event: 'license.updated' };
  },
  'catalog apply': async ({ world, env }) => {
    const { stdout } = await world.run(['catalog', 'show'], { env });
    await writeFile(join(world.folder, 'catalogue.yaml'), stdout.replace('name: Pro', 'name: Professional'));
    const words = ['catalog', 'apply', 'catalogue.yaml', '--production'];
    return { words, action: 'catalogue.applied', organizationId: INSTALLATION };
  },
  'keys rotate': async () => ({
    words: ['keys', 'rotate'],
    action: 'signing_key.rotated',
    organizationId: INSTALLATION,
  }),
  'operator token create': async () => {
    const words = ['operator', 'token', 'create', '--name', 'metering', '--json'];
    return { words, action: 'operator_token.created', organizationId: INSTALLATION };
  },
  'operator token revoke': async ({ made }) => ({
    words: ['operator', 'token', 'revoke', await made('short-lived')],
    action: 'operator_token.revoked',
    organizationId: INSTALLATION,
  }),
  'staff add': async ({ app }) => ({
    words: ['staff', 'add', (await app.register()).email, '--role', 'viewer'],
    action: 'staff.added',
    organizationId: INSTALLATION,
  }),
  'staff set-role': async ({ employed }) => ({
    words: ['staff', 'set-role', await employed(), '--role', 'support'],
    action: 'staff.role_changed',
    organizationId: INSTALLATION,
  }),
  'staff remove': async ({ employed }) => ({
    words: ['staff', 'remove', await employed()],
    action: 'staff.removed',
    organizationId: INSTALLATION,
  }),
  'payments reconcile': async () => ({
    words: ['payments', 'reconcile', '--sandbox'],
    action: 'payments.reconciled',
    organizationId: INSTALLATION,
    isSandbox: true,
  }),
  'payments resolve': async ({ sandbox, plantOrphan }) => {
    const { organizationId } = await sandbox.register();
    const id = await plantOrphan(organizationId);
    return {
      words: ['payments', 'resolve', id, '--note', 'Refunded by hand.', '--sandbox'],
      action: 'payment.resolved',
      organizationId,
      isSandbox: true,
    };
  },
  'account disable-two-factor': async ({ app }) => {
    const member = await registerWithTwoFactor(app, clock);
    return {
      words: ['account', 'disable-two-factor', member.email],
      action: 'two_factor.disabled',
      organizationId: member.organizationId,
    };
  },
};

describe('the audit log', () => {
  it('has an entry for every command, unless the command changes nothing', () => {
    const ownTests = ['migrate', 'keys rotate-master', 'keys remove-retired'];
    const known = [...Object.keys(WRITES), ...Object.keys(WITHOUT_ENTRY), ...ownTests];
    expect([...new Set([...known, ...API_COMMANDS])].toSorted()).toEqual(commandsOf(createProgram()).toSorted());
  });

  it.for(Object.keys(WRITES))(
    'records what `seathold %s` did',
    async (command, { app, sandbox, world, env, admin, made, employed, plantOrphan }) => {
      const { words, action, organizationId, event, isSandbox } =
        (await WRITES[command]?.({ app, sandbox, world, env, admin, made, employed, plantOrphan })) ?? expect.fail();
      const { database } = isSandbox === true ? sandbox : app;
      const [before, told] = [await entriesOf(database), await eventsOf(world, admin)];
      const { code, stdout, stderr } = await world.run(words, { env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      if (command === 'operator token create') {
        app.api.secrets.note('an operator token', JSON.parse(stdout).token);
      }
      const added = (await entriesOf(database)).slice(before.length);
      expect(added).toContainEqual(
        expect.objectContaining({ organization_id: organizationId, action, actor_user_id: null }),
      );
      expect((await eventsOf(world, admin)).slice(told.length)).toEqual(event === undefined ? [] : [event]);
    },
  );

  it('records what `seathold migrate` did', async ({ world, env }) => {
    const [production, other] = [await createEmptyDatabase(), await createEmptyDatabase()];
    const urls = { ...env, DATABASE_URL: production, SANDBOX_DATABASE_URL: other };
    for (let time = 0; time < 2; time += 1) {
      expect((await world.run(['migrate'], { env: urls })).code).toBe(0);
    }
    for (const url of [production, other]) {
      expect(await entriesAt(url)).toMatchObject([{ organization_id: INSTALLATION, action: 'schema.migrated' }]);
    }
  });

  it('records in both environments what `seathold keys` did to the master key', async ({ world }) => {
    const [newest, oldest] = [randomBytes(32), randomBytes(32)];
    const urls = [await createEmptyDatabase(), await createEmptyDatabase()];
    const withKeys = (keys: readonly Buffer[]) => ({
      DATABASE_URL: urls[0] ?? '',
      SANDBOX_DATABASE_URL: urls[1] ?? '',
      SEATHOLD_MASTER_KEY: keys.map((key) => key.toString('base64')).join(','),
    });
    const run = async (env: Record<string, string>, ...words: string[]) =>
      expect(await world.run(words, { env })).toMatchObject({ code: 0, stderr: '' });
    await run(withKeys([oldest]), 'migrate');
    // The first command that opens the databases writes the key's name into them.
    await run(withKeys([oldest]), 'operator', 'token', 'list');
    await run(withKeys([oldest]), 'operator', 'token', 'list', '--sandbox');
    await run(withKeys([newest, oldest]), 'keys', 'rotate-master');
    await run(withKeys([newest, oldest]), 'keys', 'remove-retired');
    for (const url of urls) {
      expect(await entriesAt(url)).toMatchObject([
        { organization_id: INSTALLATION, action: 'schema.migrated' },
        { organization_id: INSTALLATION, action: 'master_key.activated', target_id: keyIdOf(newest) },
        { organization_id: INSTALLATION, action: 'master_key.rotated', target_id: keyIdOf(newest) },
        { organization_id: INSTALLATION, action: 'master_key.removed', target_id: keyIdOf(oldest) },
      ]);
    }
  });

  it('keeps the note of a resolved payment, under the installation if the payer is unknown', async ({
    world,
    sandbox,
    env,
    plantOrphan,
  }) => {
    const id = await plantOrphan(`org_${randomBytes(13).toString('hex')}`);
    const words = ['payments', 'resolve', id, '--note', 'Refunded by hand.', '--sandbox'];
    expect((await world.run(words, { env })).code).toBe(0);
    const entries = await execute(
      sandbox.database,
      'select organization_id, before, after from audit_entries where target_id = $1',
      [id],
    );
    expect(entries).toMatchObject([
      {
        organization_id: INSTALLATION,
        before: { status: 'orphaned', orphaned_because: 'no_reason' },
        after: { status: 'resolved', note: 'Refunded by hand.', amount: 100, currency: 'usd' },
      },
    ]);
  });

  it('shows the organization what the operator did, and that the operator did it', async ({
    app,
    admin,
    world,
    env,
  }) => {
    const [, , id = ''] = await onLicense(world, admin, 'suspend');
    expect((await world.run(['license', 'suspend', id], { env })).code).toBe(0);
    const log = await app.api.get(`/v1/audit-log?target_id=${id}&action=license.suspended`, admin.accessToken);
    expect(log.body.data).toMatchObject([
      {
        actor: { type: 'operator', user_id: null, credential: { kind: 'operator', id: null } },
        before: { status: 'active' },
        after: { status: 'suspended' },
      },
    ]);
  });
});

/** The commands that do something, by name. */
function commandsOf(command: Command, above: readonly string[] = []): string[] {
  return command.commands.flatMap((each) => {
    const words = [...above, each.name()];
    return each.commands.length === 0 ? [words.join(' ')] : commandsOf(each, words);
  });
}

async function eventsOf(world: CliWorld, admin: Member): Promise<string[]> {
  const rows = await execute<{ type: string }>(
    world.app.database,
    'select type from events where organization_id = $1 order by created, id',
    [admin.organizationId],
  );
  return rows.map(({ type }) => type);
}
