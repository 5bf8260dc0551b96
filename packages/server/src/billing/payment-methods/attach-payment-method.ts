import { type AuditActor, actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type Answered, type AuthorizedContext, runEffect, runPhase } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { type Account, lockAccount } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import { addMethod, attachToken, changeDefault, methodRefusal } from './attach-method.ts';
import { findDefaultMethod, findMethod, type MethodRow, presentMethod } from './queries.ts';
import { recordDefaultChange } from './record-default-change.ts';
import type { PaymentMethodInput } from './schemas.ts';

/**
 * Attaches a provider's payment method and returns it, or the one that is already attached. Throws what `attachToken`
 * throws.
 */
export async function attachPaymentMethod(
  context: AuthorizedContext,
  tools: BillingTools,
  input: PaymentMethodInput,
): Promise<Answer<unknown>> {
  const { organizationId } = context.principal;
  const found = await runPhase(context, (tx) => findAttached(tx, context, input));
  if (found.kind === 'answered') {
    tools.due.ring();
    return found.answer;
  }
  const attached = await attachToken(tools, organizationId, input.payment_method_id, found.nowMs);
  const answer = await runEffect(context, (tx) => add(tx, context, tools, attached, input.set_default === true));
  // Past-due invoices are charged to a new default immediately.
  tools.due.ring();
  return answer;
}

/** A known method is returned without a request to the provider. */
async function findAttached(
  tx: Queries,
  context: AuthorizedContext,
  input: PaymentMethodInput,
): Promise<Answered | { kind: 'unattached'; nowMs: number }> {
  const account = await lockAccount(tx, context.principal.organizationId);
  const row = await findMethod(tx, account.organizationId, input.payment_method_id);
  if (row !== undefined) {
    const answer = await answerKnown(tx, actorOf(context), account, row, input.set_default === true);
    return { kind: 'answered', answer };
  }
  if (OUR_ID.test(input.payment_method_id)) {
    throw methodRefusal('unknown', 'No such payment method is attached.');
  }
  return { kind: 'unattached', nowMs: account.nowMs };
}

const OUR_ID = new RegExp(idPattern('paymentMethod'));

async function add(
  tx: Queries,
  context: AuthorizedContext,
  tools: BillingTools,
  attached: AttachedMethod,
  setDefault: boolean,
): Promise<Answer<unknown>> {
  const account = await lockAccount(tx, context.principal.organizationId);
  const known = await findMethod(tx, account.organizationId, attached.ref);
  if (known !== undefined) {
    return answerKnown(tx, actorOf(context), account, known, setDefault);
  }
  const before = await findDefaultMethod(tx, { organizationId: account.organizationId });
  const row = await addMethod(tx, tools, account, attached, setDefault);
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

async function answerKnown(
  tx: Queries,
  actor: AuditActor,
  account: Account,
  row: MethodRow,
  setDefault: boolean,
): Promise<Answer<unknown>> {
  if (!setDefault || row.is_default) {
    return { data: presentMethod(row) };
  }
  const before = await findDefaultMethod(tx, { organizationId: account.organizationId });
  const after = await changeDefault(tx, account, row);
  await recordDefaultChange(tx, actor, before, after);
  return { data: presentMethod(after) };
}
