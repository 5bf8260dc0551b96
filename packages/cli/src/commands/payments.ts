import type { Command } from 'commander';
import { columns, print } from '../output.ts';
import { parseTime } from '../parse-time.ts';
import { withInstallation } from '../with-installation.ts';
import { addPaymentListCommand } from './payments/list.ts';

type Reconciliation = Awaited<
  ReturnType<typeof import('@seathold/server/operator/manage-payments').operatorReconcilePayments>
>;

/** `seathold payments …`: lists payments, compares the payment provider's payments with the database, and resolves orphans. */
export function addPaymentsCommand(program: Command): void {
  const command = program
    .command('payments')
    .alias('payment')
    .description('List payments, and reconcile them with the payment provider.');
  addPaymentListCommand(command);
  command
    .command('reconcile')
    .description(
      'Compare the payments at the provider with the database, and adopt or report what is missing on either side. Safe to run again. Resumes if interrupted.',
    )
    .option(
      '--since <time>',
      'compare payments made since this time (default: since the last reconciliation)',
      parseTime,
    )
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ seathold payments reconcile --since 2026-11-21T02:00:00Z')
    .action(reconcile);
  command
    .command('resolve')
    .argument('<payment_id>', 'the ID of the payment, pay_…')
    .description('Mark an orphaned payment as resolved after you refunded or otherwise handled it.')
    .requiredOption('--note <text>', 'how you handled it')
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { note: string; sandbox?: boolean; json?: boolean }) => {
      await withInstallation(payments, options.sandbox === true, async (operator, installation) => {
        const environment = options.sandbox === true ? 'sandbox' : 'production';
        const payment = await operator.operatorResolvePayment(installation, environment, id, options.note);
        print(options.json === true, payment, [`Resolved ${payment.id} (${payment.provider_ref}).`]);
      });
    });
}

const payments = () => import('@seathold/server/operator/manage-payments');

async function reconcile(options: { since?: string; sandbox?: boolean; json?: boolean }): Promise<void> {
  await withInstallation(payments, options.sandbox === true, async (operator, installation) => {
    const environment = options.sandbox === true ? 'sandbox' : 'production';
    const done = await operator.operatorReconcilePayments(installation, environment, options.since);
    print(options.json === true, show(environment, done), describe(environment, done));
  });
}

function show(environment: string, { provider, sinceMs, isResumed, counts, findings }: Reconciliation) {
  return {
    environment,
    provider,
    since: new Date(sinceMs).toISOString(),
    resumed: isResumed,
    counts,
    findings: findings.map(({ kind, providerRef, organizationId, detail }) => ({
      kind,
      provider_ref: providerRef,
      organization_id: organizationId,
      detail,
    })),
  };
}

function describe(environment: string, { provider, sinceMs, isResumed, counts, findings }: Reconciliation): string[] {
  const since = new Date(sinceMs).toISOString();
  return [
    `${environment}: payments at ${provider} since ${since}${isResumed ? ' (resumed)' : ''}`,
    ...columns(Object.entries(counts).map(([name, count]) => [`  ${name}`, String(count)] as const)),
    ...findings.map(
      ({ kind, providerRef, organizationId, detail }) =>
        `  ${kind}: ${providerRef} (${organizationId ?? 'unknown organization'}): ${detail}`,
    ),
  ];
}
