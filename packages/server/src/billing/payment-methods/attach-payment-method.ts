import { type AuditActor, actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type AuthorizedContext, runBeginning, runEffect } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { type Account, openAccount } from '../accounts/open-account.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import { attachToken, refusedMethod } from './attach-token.ts';
import { keepMethod, makeDefault } from './keep-method.ts';
import { presentMethod } from './present-method.ts';
import { findDefaultMethod, findMethod, type MethodRow } from './queries.ts';
import { recordDefaultChange } from './record-default-change.ts';
import type { PaymentMethodInput } from './schemas.ts';

/** Attaches a provider's payment method and answers it, also one that is attached already. Throws what `attachToken` throws. */
export async function attachPaymentMethod(
  context: AuthorizedContext,
  tools: BillingTools,
  input: PaymentMethodInput,
): Promise<Answer<unknown>> {
  const { organizationId } = context.principal;
  const begun = await runBeginning(context, (tx) => findAttached(tx, context, input));
  if (!('unfinished' in begun)) {
    tools.due.ring();
    return begun;
  }
  const attached = await attachToken(tools, organizationId, input.payment_method_id, begun.unfinished.nowMs);
  const answer = await runEffect(context, (tx) => keep(tx, context, tools, attached, input.set_default === true));
  // A new default is tried at once with what is past due.
  tools.due.ring();
  return answer;
}

/** One that is here already is answered without asking the provider. */
async function findAttached(
  tx: Queries,
  context: AuthorizedContext,
  input: PaymentMethodInput,
): Promise<Answer<unknown> | { unfinished: { nowMs: number } }> {
  const account = await openAccount(tx, context.principal.organizationId);
  const row = await findMethod(tx, account.organizationId, input.payment_method_id);
  if (row !== undefined) {
    return answerKept(tx, actorOf(context), account, row, input.set_default === true);
  }
  if (OUR_ID.test(input.payment_method_id)) {
    throw refusedMethod('unknown', 'No payment method of this id is attached.');
  }
  return { unfinished: { nowMs: account.nowMs } };
}

const OUR_ID = new RegExp(idPattern('paymentMethod'));

async function keep(
  tx: Queries,
  context: AuthorizedContext,
  tools: BillingTools,
  attached: AttachedMethod,
  setDefault: boolean,
): Promise<Answer<unknown>> {
  const account = await openAccount(tx, context.principal.organizationId);
  const known = await findMethod(tx, account.organizationId, attached.ref);
  if (known !== undefined) {
    return answerKept(tx, actorOf(context), account, known, setDefault);
  }
  const before = await findDefaultMethod(tx, account.organizationId);
  const row = await keepMethod(tools, tx, account, attached, setDefault);
  const data = presentMethod(row);
  await recordAudit(tx, actorOf(context), {
    action: 'payment_method.attached',
    targetType: 'payment_method',
    targetId: row.id,
    after: data,
  });
  if (before !== undefined && row.is_default) {
    await recordDefaultChange(tx, actorOf(context), before, row);
  }
  return { data };
}

async function answerKept(
  tx: Queries,
  actor: AuditActor,
  account: Account,
  row: MethodRow,
  setDefault: boolean,
): Promise<Answer<unknown>> {
  if (!setDefault || row.is_default) {
    return { data: presentMethod(row) };
  }
  const before = await findDefaultMethod(tx, account.organizationId);
  const after = await makeDefault(tx, account, row);
  await recordDefaultChange(tx, actor, before, after);
  return { data: presentMethod(after) };
}
