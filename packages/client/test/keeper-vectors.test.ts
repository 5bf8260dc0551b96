import { describe, expect, it } from 'vitest';
import { hashMachineId } from '../src/seats/hardware-id.ts';
import { REAL_RUNTIME } from '../src/seats/real-runtime.ts';
import { verifyLicenseToken, verifyRevocations } from '../src/seats/verify-license-token.ts';
import { textOf, VECTORS } from './keeper-vectors.ts';
import { ListNetwork } from './list-network.ts';
import { ScriptRunner } from './script-runner.ts';

const { base_url: issuer, audience, hardware_id: hardwareId } = VECTORS.config;
const { checkSignature } = REAL_RUNTIME;

describe('a keeper follows its script:', () => {
  it.each(VECTORS.scripts)('$name', async (script) => {
    const runner = new ScriptRunner(script);
    runner.start();
    for (const step of script.steps) {
      await runner.run(step).catch((error: unknown) => {
        throw new Error(`at ${JSON.stringify(step)}`, { cause: error });
      });
    }
  });
});

describe('a license token gets the verdict of its vector:', () => {
  it.each(VECTORS.tokens)('$name', async ({ token, now, expect: expected, keys, list, session_id: sessionId }) => {
    const revoked = list === undefined ? new Set<string>() : await revokedBy(list);
    const expectations = { issuer, audience, hardwareId, sessionId, nowMs: now * 1000, revoked };
    const outcome = await verifyLicenseToken(textOf(token), keySet(keys), expectations, checkSignature);
    expect(typeof outcome === 'string' ? outcome : 'valid').toBe(expected);
  });
});

describe('a revocation list gets the verdict of its vector:', () => {
  it.each(VECTORS.lists)('$name', async ({ list, expect: expected, revoked, keys, after }) => {
    const outcome = await verifyRevocations(textOf(list), keySet(keys), issuer, checkSignature);
    expect(typeof outcome === 'string' ? outcome : 'valid').toBe(expected);
    const network = new ListNetwork();
    const before = after === undefined ? [] : await network.take(textOf(after), keySet());
    expect(before.length > 0).toBe(after !== undefined);
    expect(await network.take(textOf(list), keySet(keys))).toEqual(revoked);
  });
});

it.each(VECTORS.hardware_ids)('a machine ID becomes a hardware ID: $platform', async ({ machine_id, hardware_id }) => {
  expect(await hashMachineId(machine_id)).toBe(hardware_id);
});

function keySet(keys = '@keys.first') {
  return JSON.parse(textOf(keys)).keys;
}

async function revokedBy(list: string): Promise<ReadonlySet<string>> {
  const outcome = await verifyRevocations(textOf(list), keySet(), issuer, checkSignature);
  return typeof outcome === 'string' ? new Set() : outcome.revoked;
}
