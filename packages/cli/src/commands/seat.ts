import type { Command } from 'commander';
import { addListOptions, addOperatorOptions, type ListOptions, type OperatorOptions } from '../operator/options.ts';
import { printRecord } from '../operator/print-record.ts';
import { requireLicense } from '../operator/require-license.ts';
import { withOperator } from '../operator/with-operator.ts';
import { formatTime } from '../printing/formats.ts';
import { pageSize, printList } from '../printing/print-list.ts';

/** `seathold seat …`: who holds the seats of a license, and taking one back. */
export function addSeatCommand(program: Command): void {
  const seat = program.command('seat').description('Show who holds the seats of a license, and release them.');
  addListOptions(seat.command('list').description('List the seats of a license and who holds them.'))
    .argument('<license>', 'the ID of the license, lic_…, or its key')
    .action(list);
  addOperatorOptions(
    seat
      .command('release')
      .description(
        'Free a seat that its user cannot release. The program that holds it gets an error at its next heartbeat.',
      )
      .argument('<session_id>', 'the ID of the session, sess_…, which `seathold seat list` shows')
      .requiredOption('--license <license>', 'the license that the seat belongs to: its ID, lic_…, or its key'),
  )
    .addHelpText('after', '\nExample:\n  $ seathold seat release sess_… --license lic_…')
    .action(release);
}

function list(name: string, options: ListOptions): Promise<void> {
  return withOperator(options, async (client) => {
    const { id, organization_id: organizationId } = await requireLicense(client, name);
    await printList(client.licenses.listSeats(id, { limit: pageSize(options) }, { organizationId }), options, {
      columns: [
        { title: 'SEAT', value: ({ slot }) => slot, align: 'right' },
        { title: 'USER', value: ({ session }) => holderOf(session), canShrink: true },
        {
          title: 'MACHINE',
          value: ({ session }) => session?.hostname ?? session?.hardware_id ?? null,
          canShrink: true,
        },
        { title: 'SINCE', value: ({ session }) => formatTime(session?.started_at ?? null) },
        { title: 'LAST HEARTBEAT', value: ({ session }) => formatTime(session?.last_heartbeat ?? null) },
        { title: 'SESSION', value: ({ session }) => session?.id ?? null },
      ],
      empty: 'No seats.',
    });
  });
}

interface Holder {
  user?: { email: string } | null;
  user_id: string | null;
  activation_id?: string;
}

function holderOf(session: Holder | null): string | null {
  return session?.user?.email ?? session?.user_id ?? session?.activation_id ?? null;
}

function release(sessionId: string, options: OperatorOptions & { license: string }): Promise<void> {
  return withOperator(options, async (client) => {
    const { organization_id: organizationId } = await requireLicense(client, options.license);
    printRecord(await client.licenses.release({ session_id: sessionId }, { organizationId }), options);
  });
}
