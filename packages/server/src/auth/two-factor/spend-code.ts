import type { Queries } from '../../database/index.ts';
import { findTimeStep, hashRecoveryCode, parseCode } from './code-rules.ts';
import { findTwoFactorSecret, updateRecoveryCodeSpent, updateTimeStepSpent } from './queries.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

/** A parsed code, not yet spent. Whether it is correct is known only when it is spent. */
export type ResolvedCode =
  | { method: 'totp'; secret: Buffer; timeStep: number }
  | { method: 'recovery_code'; codeHash: Buffer };

type ProofTools = Pick<TwoFactorTools, 'masterKey' | 'clock'>;

/** Reads a code for a user. A code of neither kind becomes a proof that is never accepted. */
export async function resolveCode(
  database: Queries,
  tools: ProofTools,
  userId: string,
  text: string,
): Promise<ResolvedCode> {
  const code = parseCode(text);
  if (code.kind === 'recovery_code') {
    return { method: 'recovery_code', codeHash: hashRecoveryCode(recoveryKey(tools), userId, code.code) };
  }
  const kept = await findTwoFactorSecret(database, { userId });
  if (kept === undefined) {
    return { method: 'totp', secret: Buffer.alloc(0), timeStep: NO_STEP };
  }
  const digits = code.kind === 'totp' ? code.digits : '';
  return { method: 'totp', secret: kept.secret, timeStep: timeStepOf(tools, userId, kept.secret, digits) ?? NO_STEP };
}

/** The time step of a code under a stored secret; undefined if the code is wrong. */
export function timeStepOf(tools: ProofTools, userId: string, secret: Buffer, digits: string): number | undefined {
  const plain = tools.masterKey.decrypt(SECRET_PURPOSE, userId, secret);
  return digits === '' ? undefined : findTimeStep(plain, digits, tools.clock.nowMs());
}

/** Spends a code by one conditional update. Returns false if it is wrong or was spent before. */
export async function spendCode(tx: Queries, userId: string, proof: ResolvedCode): Promise<boolean> {
  const spent =
    proof.method === 'totp'
      ? await updateTimeStepSpent(tx, { userId, secret: proof.secret, timeStep: proof.timeStep })
      : await updateRecoveryCodeSpent(tx, { userId, codeHash: proof.codeHash });
  return spent > 0;
}

/** The key of the recovery codes' hashes. */
export function recoveryKey({ masterKey }: Pick<TwoFactorTools, 'masterKey'>): Buffer {
  return masterKey.deriveKey('recovery-codes');
}

/** What TOTP secrets are encrypted for; the context is the user's identifier. */
export const SECRET_PURPOSE = 'totp';

/** Less than every step. */
const NO_STEP = -1;
