import { actorOf } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import { recordAccountAudit } from '../record-account-audit.ts';
import { hashRecoveryCode, newRecoveryCodes } from './code-rules.ts';
import { deleteRecoveryCodes, insertRecoveryCodes, updateSecretEnabled, upsertPendingSecret } from './queries.ts';
import { recoveryKey, SECRET_PURPOSE } from './spend-code.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

/** Replaces the recovery codes with ten new ones; only their hashes are stored. */
export async function renewRecoveryCodes(
  tx: Queries,
  tools: Pick<TwoFactorTools, 'masterKey'>,
  userId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const key = recoveryKey(tools);
  await deleteRecoveryCodes(tx, { userId });
  await insertRecoveryCodes(tx, { userId, codeHashes: codes.map((code) => hashRecoveryCode(key, userId, code)) });
  return codes;
}

/** Turns two-factor on with a secret that was just proved by a code, replacing one that is only set up. */
export async function enableSecret(
  tx: Queries,
  tools: Pick<TwoFactorTools, 'masterKey'>,
  { userId, secret, timeStep }: { userId: string; secret: string; timeStep: number },
): Promise<void> {
  const sealed = tools.masterKey.encrypt(SECRET_PURPOSE, userId, secret);
  await upsertPendingSecret(tx, { userId, secret: sealed });
  await updateSecretEnabled(tx, { userId, secret: sealed, timeStep });
}

/** Records a change of how a user logs in, in the audit logs of all their organizations. */
export async function recordTwoFactorAudit(
  tx: Queries,
  context: AuthorizedContext,
  change: 'enabled' | 'disabled' | 'recovery_codes_renewed',
): Promise<void> {
  const { userId } = context.principal;
  await recordAccountAudit(tx, userId, actorOf(context), {
    action: `two_factor.${change}`,
    targetType: 'user',
    targetId: userId,
  });
}
