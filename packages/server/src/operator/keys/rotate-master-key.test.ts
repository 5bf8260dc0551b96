import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { loadConfig } from '../../config/index.ts';
import { checkMasterKey, type Database, KeyHolder } from '../../database/index.ts';
import { keepMasterKey, keyIdOf, MasterKey, readMasterKeyFile } from '../../security/index.ts';
import type { Installation } from '../connect-installation.ts';
import { CIPHERTEXTS, countCiphertextsByKey } from './ciphertexts.ts';
import { examineKeys } from './examine-keys.ts';
import { removeRetiredKeys } from './remove-retired-keys.ts';
import { rotateMasterKey } from './rotate-master-key.ts';

let folder: string;

const it = createTest()
  /** Both databases as a command opens them, with the keys from the setting or the key file. */
  .extend('openBoth', ({ app, sandbox }) => async (setting?: readonly Buffer[]): Promise<Installation[]> => {
    const { config } = loadConfig({ SEATHOLD_DATA_DIR: folder });
    if (config === undefined) {
      throw new Error('the settings of the test are wrong');
    }
    const keys = await keepMasterKey(setting, folder);
    return Promise.all(
      [app, sandbox].map(async ({ database }) => ({
        config: { ...config, masterKey: setting },
        database,
        masterKey: await checkMasterKey(database, keys),
        close: async () => undefined,
      })),
    );
  });
it.beforeEach(async ({ app, sandbox }) => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-keys-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const { database } of [app, sandbox]) {
    await execute(database, 'truncate installation, master_keys, master_key_holders, outgoing_mails');
  }
});

/** A running process. It holds the keys that it was started with, and follows changes until the test ends. */
async function startProcess(database: Database, setting?: readonly Buffer[]): Promise<MasterKey> {
  const masterKey = await checkMasterKey(database, await keepMasterKey(setting, folder));
  const holder = new KeyHolder(masterKey);
  await holder.follow(database);
  // One after another, like the job, and none after the test, which would write into the next test's tables.
  const stopping = new AbortController();
  const following = (async () => {
    while (!stopping.signal.aborted) {
      await holder.follow(database).catch(() => undefined);
      await setTimeout(20);
    }
  })();
  onTestFinished(() => {
    stopping.abort();
    return following;
  });
  return masterKey;
}

const insertMail = (database: Database, masterKey: MasterKey, id: string) =>
  execute(
    database,
    `insert into outgoing_mails (id, recipient, kind, content, created_at, due_at)
      values ($1, 'a@example.com', 'test', $2, clock_timestamp(), 'infinity')`,
    [id, masterKey.encrypt('mail', id, `mail ${id}`)],
  );

async function readMail(database: Database, masterKey: MasterKey, id: string): Promise<string> {
  const [row] = await execute<{ content: Buffer }>(database, 'select content from outgoing_mails where id = $1', [id]);
  return masterKey.decrypt('mail', id, row?.content ?? Buffer.alloc(0));
}

const keysOf = async (database: Database) => [...(await countCiphertextsByKey(database)).keys()];

describe('keys rotate-master with a key file', () => {
  it('encrypts everything with a new key, which running processes adopt by themselves', async ({ app, openBoth }) => {
    const service = await startProcess(app.database);
    const other = await startProcess(app.database);
    const before = service.activeId;
    await insertMail(app.database, service, 'kept');
    const installations = await openBoth();
    const { keyId, reencrypted } = await rotateMasterKey(installations);
    expect(keyId).not.toBe(before);
    // The mail, and key check and derived keys of both databases.
    expect(reencrypted).toBe(5);
    expect([service.activeId, other.activeId]).toEqual([keyId, keyId]);
    expect(await keysOf(app.database)).toEqual([keyId]);
    expect(await readMail(app.database, service, 'kept')).toBe('mail kept');
    await insertMail(app.database, service, 'new');
    expect(await readMail(app.database, other, 'new')).toBe('mail new');
    expect(readMasterKeyFile(folder)?.map(keyIdOf)).toEqual([keyId, before]);
  });

  it('resumes a killed run with the same key', async ({ app, sandbox, openBoth }) => {
    const service = await startProcess(app.database);
    for (const id of ['a', 'b', 'c']) {
      await insertMail(app.database, service, id);
    }
    const installations = await openBoth();
    const { keyId } = await rotateMasterKey(installations);
    // Like after a kill in the middle of the sandbox: not marked as done, and some secrets are unchanged.
    await execute(sandbox.database, 'update master_keys set completed_at = null where is_active');
    const [oldKey = Buffer.alloc(0)] = (readMasterKeyFile(folder) ?? []).slice(1);
    await insertMail(sandbox.database, new MasterKey(oldKey), 'left');
    const finding = await examineKeys(installations[1] ?? expect.fail(), 'sandbox');
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining('not finished') });
    await expect(removeRetiredKeys(installations)).rejects.toThrow(/not finished/);
    expect(await rotateMasterKey(await openBoth())).toEqual({ keyId, reencrypted: 1 });
    expect(await keysOf(sandbox.database)).toEqual([keyId]);
  });

  it('uses the key that a killed run left in the file before any process knew it', async ({ app, openBoth }) => {
    const service = await startProcess(app.database);
    const lost = await openBoth();
    const failing = lost.map((each, at) => (at === 0 ? { ...each, masterKey: new MasterKey(randomBytes(32)) } : each));
    await expect(rotateMasterKey(failing)).rejects.toThrow(/is missing/);
    const [newest = Buffer.alloc(0)] = readMasterKeyFile(folder) ?? [];
    expect(keyIdOf(newest)).not.toBe(service.activeId);
    expect((await rotateMasterKey(await openBoth())).keyId).toBe(keyIdOf(newest));
    expect(readMasterKeyFile(folder)).toHaveLength(2);
  });

  it('keeps what a process writes during the re-encryption', async ({ app, openBoth }) => {
    const service = await startProcess(app.database);
    const ids = Array.from({ length: 700 }, (_, n) => `mail_${n}`);
    await Promise.all(ids.map((id) => insertMail(app.database, service, id)));
    const rotating = openBoth().then((installations) => rotateMasterKey(installations));
    const written: string[] = [];
    for (let isOver = false; !isOver; ) {
      const id = `written_${written.length}`;
      await insertMail(app.database, service, id);
      written.push(id);
      isOver = await Promise.race([rotating.then(() => true), new Promise<boolean>((go) => setImmediate(go, false))]);
    }
    const { keyId } = await rotating;
    expect(await keysOf(app.database)).toEqual([keyId]);
    for (const id of [...ids, ...written]) {
      expect(await readMail(app.database, service, id)).toBe(`mail ${id}`);
    }
  });

  it('removes the old key from the file and the databases, after which it decrypts nothing', async ({
    app,
    openBoth,
  }) => {
    await startProcess(app.database);
    const installations = await openBoth();
    const [first = Buffer.alloc(0)] = readMasterKeyFile(folder) ?? [];
    const { keyId } = await rotateMasterKey(installations);
    expect(await removeRetiredKeys(installations)).toEqual([keyIdOf(first)]);
    expect(readMasterKeyFile(folder)?.map(keyIdOf)).toEqual([keyId]);
    await expect(openBoth([first])).rejects.toThrow(/not the one/);
    const finding = await examineKeys((await openBoth())[0] ?? expect.fail(), 'production');
    expect(finding).toMatchObject({ ok: true, detail: `${keyId}, encrypts: 2 secrets` });
  });

  it('removes nothing while a process may still write with the old key', async ({ app, openBoth }) => {
    const installations = await openBoth();
    const { keyId } = await rotateMasterKey(installations);
    await execute(
      app.database,
      `insert into master_key_holders (process_id, key_ids, active_key_id, seen_at)
        values ('stalled', array[$1, 'old'], 'old', clock_timestamp() - interval '5 minutes')`,
      [keyId],
    );
    await expect(removeRetiredKeys(installations)).rejects.toThrow(/in the last ten minutes/);
    expect(readMasterKeyFile(folder)).toHaveLength(2);
  });
});

describe('keys rotate-master with SEATHOLD_MASTER_KEY', () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];

  it('requires the new key before the old one, in every process', async ({ app, openBoth }) => {
    await startProcess(app.database, [oldKey]);
    await expect(rotateMasterKey(await openBoth([oldKey]))).rejects.toThrow(/Put a new key before it/);
    const both = await openBoth([newKey, oldKey]);
    await expect(rotateMasterKey(both, 100)).rejects.toThrow(/1 of 1 running processes do not have the new master key/);
    expect(await keysOf(app.database)).toEqual([keyIdOf(oldKey)]);
  });

  it('encrypts with the new key once every process holds both', async ({ app, openBoth }) => {
    await openBoth([oldKey]);
    const service = await startProcess(app.database, [newKey, oldKey]);
    expect(service.activeId).toBe(keyIdOf(oldKey));
    const { keyId } = await rotateMasterKey(await openBoth([newKey, oldKey]));
    expect([keyId, service.activeId]).toEqual([keyIdOf(newKey), keyIdOf(newKey)]);
    await expect(openBoth([oldKey])).rejects.toThrow();
    await removeRetiredKeys(await openBoth([newKey, oldKey]));
    expect((await openBoth([newKey])).map(({ masterKey }) => masterKey.activeId)).toEqual([keyId, keyId]);
  });
});

describe('the list of ciphertexts', () => {
  it('names every column of bytes that is not a hash', async ({ app }) => {
    const columns = await execute<{ name: string }>(
      app.database,
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea' order by 1`,
    );
    const known = [...CIPHERTEXTS.map(({ table, column }) => `${table}.${column}`), ...NO_CIPHERTEXTS];
    expect(columns.map(({ name }) => name)).toEqual(known.toSorted());
  });

  it('names the primary key columns of each table in order', async ({ app }) => {
    for (const { table, key } of CIPHERTEXTS) {
      const columns = await execute<{ name: string; type: string }>(
        app.database,
        `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
          from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
          where i.indrelid = $1::regclass and i.indisprimary order by array_position(i.indkey, a.attnum)`,
        [table],
      );
      expect(columns.map(({ name, type }) => [name, type])).toEqual(key);
    }
  });
});

/** Hashes, a document, and responses encrypted with the token that received them. */
const NO_CIPHERTEXTS = [
  'bearer_tokens.token_hash',
  'idempotency_keys.request_hash',
  'invitations.token_hash',
  'invoice_pdfs.content',
  'invoice_pdfs.sha256',
  'license_activations.token_hash',
  'login_challenges.token_hash',
  'oauth_artifacts.id_hash',
  'oauth_artifacts.uid_hash',
  'oauth_artifacts.user_code_hash',
  'oauth_client_secrets.secret_hash',
  'one_time_tokens.token_hash',
  'operator_tokens.token_hash',
  'payments.request_hash',
  'payments.request_key',
  'portal_links.link_hash',
  'portal_links.session_hash',
  'recovery_codes.code_hash',
  'refresh_tokens.answer',
  'refresh_tokens.token_hash',
  'sandbox_clock_moves.request_key',
  'staff_setup_links.token_hash',
];
