import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  encryptText,
  findKeyId,
  hashToken,
  isWellFormedToken,
  keepMasterKey,
  keyIdOf,
  MasterKey,
  newToken,
  PasswordHasher,
  readMasterKeyFile,
  writeMasterKeyFile,
} from './index.ts';

describe('tokens', () => {
  it('carry a checksum that detects any wrong character and any changed prefix', () => {
    const token = newToken('svc_live_');
    expect(isWellFormedToken(token)).toBe(true);
    expect(token).toMatch(/^svc_live_[0-9A-Za-z]{42}$/);
    expect(isWellFormedToken(token.replace('svc_live_', 'svc_test_'))).toBe(false);
    for (let place = 9; place < token.length; place += 1) {
      const wrong = token.slice(0, place) + (token[place] === 'x' ? 'y' : 'x') + token.slice(place + 1);
      expect(isWellFormedToken(wrong)).toBe(false);
    }
  });

  it('are stored as a hash that cannot be reversed', () => {
    expect(hashToken('svc_live_x')).toHaveLength(32);
  });
});

describe('the master key', () => {
  const key = new MasterKey(randomBytes(32));

  it('decrypts what it encrypted, but only for the same purpose and place', () => {
    const sealed = key.encrypt('keys', 'row-1', 'secret');
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(key.decrypt('keys', 'row-1', sealed)).toBe('secret');
    expect(() => key.decrypt('keys', 'row-2', sealed)).toThrow();
    expect(() => key.decrypt('other', 'row-1', sealed)).toThrow();
    expect(() => new MasterKey(randomBytes(32)).decrypt('keys', 'row-1', sealed)).toThrow();
    sealed.writeUInt8(sealed.readUInt8(20) ^ 1, 20);
    expect(() => key.decrypt('keys', 'row-1', sealed)).toThrow();
  });

  it('is created once, readable only by its owner', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-key-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const made = await Promise.all(Array.from({ length: 5 }, () => keepMasterKey(undefined, folder)));
    const derived = made.map((each) => each.deriveKey('x').toString('hex'));
    expect(new Set(derived).size).toBe(1);
    expect((await stat(join(folder, 'master.key'))).mode & 0o777).toBe(0o600);
  });
});

describe('a ring of master keys', () => {
  const oldKey = randomBytes(32);
  const newKey = randomBytes(32);

  it('decrypts with the key that each ciphertext names, whichever key encrypts', () => {
    const ring = new MasterKey([newKey, oldKey]);
    const sealedOld = new MasterKey(oldKey).encrypt('mail', 'row-1', 'secret');
    const sealedNew = ring.encrypt('mail', 'row-1', 'secret');
    expect([sealedOld, sealedNew].map(findKeyId)).toEqual([keyIdOf(oldKey), keyIdOf(newKey)]);
    expect([sealedOld, sealedNew].map((each) => ring.decrypt('mail', 'row-1', each))).toEqual(['secret', 'secret']);
    expect(() => new MasterKey(oldKey).decrypt('mail', 'row-1', sealedNew)).toThrow(keyIdOf(newKey));
  });

  it('decrypts a ciphertext from before keys were named', () => {
    const master = new MasterKey(oldKey);
    const sealed = encryptText(master.deriveKeyOf(master.activeId, 'mail'), 'row-1', 'secret');
    expect(findKeyId(sealed)).toBeUndefined();
    expect(new MasterKey([newKey, oldKey]).decryptNamed('mail', 'row-1', sealed)).toEqual({
      plain: 'secret',
      keyId: keyIdOf(oldKey),
    });
  });

  it('refuses a ciphertext with a changed key name', () => {
    const ring = new MasterKey([newKey, oldKey]);
    const sealed = ring.encrypt('mail', 'row-1', 'secret');
    Buffer.from(keyIdOf(oldKey), 'hex').copy(sealed, 4);
    expect(() => ring.decrypt('mail', 'row-1', sealed)).toThrow();
  });

  it('reads the key file again if a ciphertext names an unknown key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-key-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const held = await keepMasterKey(undefined, folder);
    const [kept = Buffer.alloc(0)] = readMasterKeyFile(folder) ?? [];
    const sealed = new MasterKey(newKey).encrypt('mail', 'row-1', 'secret');
    expect(() => held.decrypt('mail', 'row-1', sealed)).toThrow();
    await writeMasterKeyFile(folder, [newKey, kept]);
    expect(held.decrypt('mail', 'row-1', sealed)).toBe('secret');
    expect((await stat(join(folder, 'master.key'))).mode & 0o777).toBe(0o600);
    expect(held.activeId).toBe(keyIdOf(kept));
  });
});

describe('passwords', () => {
  const limits = { concurrent: 1, maxWaiting: 1, overflow: () => new Error('too many') };
  const hasher = new PasswordHasher({ memoryKib: 1024, passes: 1, lanes: 1 }, limits);

  it('match by the typed text, however its characters are composed', async () => {
    const stored = await hasher.hash('pass\u00e9 word 1');
    expect(await hasher.verify(stored, 'passe\u0301 word 1')).toBe(true);
    expect(await hasher.verify(stored, 'passe word 1')).toBe(false);
    expect(await hasher.verify(undefined, 'no account has this password')).toBe(false);
  });

  it('are rehashed after the parameters were raised', async () => {
    const stronger = new PasswordHasher({ memoryKib: 2048, passes: 1, lanes: 1 }, limits);
    const stored = await hasher.hash('a long password');
    expect([hasher.isOutdated(stored), stronger.isOutdated(stored)]).toEqual([false, true]);
    expect(await stronger.verify(stored, 'a long password')).toBe(true);
  });

  it('are hashed a limited number at a time', async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => hasher.hash('a long password')));
    expect(results.filter((each) => each.status === 'rejected')).toHaveLength(2);
  });
});
