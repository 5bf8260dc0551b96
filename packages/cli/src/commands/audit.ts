import type { OperatorAuditLogEntry } from '@seathold/client';
import { type Command, Option } from 'commander';
import { addListOptions, given, type ListOptions } from '../operator/options.ts';
import { withOperator } from '../operator/with-operator.ts';
import { parseTime } from '../parse-time.ts';
import { formatTime } from '../printing/formats.ts';
import { pageSize, printList } from '../printing/print-list.ts';

interface AuditOptions extends ListOptions {
  organization?: string;
  actor?: string;
  actorType?: OperatorAuditLogEntry['actor']['type'];
  action?: string;
  createdAfter?: string;
  createdBefore?: string;
}

/** `seathold audit`: who changed what, in all organizations. */
export function addAuditCommand(program: Command): void {
  addListOptions(program.command('audit').description('List who changed what, in all organizations, newest first.'))
    .option('--organization <id>', 'only this organization, or "installation" for changes to the installation itself')
    .option('--actor <id|email>', 'only changes by this user or operator token')
    .addOption(
      new Option('--actor-type <type>', 'only changes by actors of this type').choices([
        'user',
        'staff',
        'operator',
        'operator_token',
        'unknown',
      ] as const),
    )
    .option('--action <action>', 'only this action, for example license.updated')
    .option('--created-after <time>', 'only changes after this time, in ISO 8601', parseTime)
    .option('--created-before <time>', 'only changes before this time, in ISO 8601', parseTime)
    .addHelpText('after', '\nExample:\n  $ seathold audit --actor ada@example.com --action license.updated')
    .action(list);
}

function list(options: AuditOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(
      client.operator.listAuditLog({
        limit: pageSize(options),
        ...given({
          organization_id: options.organization,
          actor: options.actor,
          actor_type: options.actorType,
          action: options.action,
          created_after: options.createdAfter,
          created_before: options.createdBefore,
        }),
      }),
      options,
      {
        columns: [
          { title: 'TIME', value: ({ created_at: at }) => formatTime(at) },
          { title: 'ACTION', value: ({ action }) => action },
          { title: 'ACTOR', value: ({ actor }) => actor.email ?? actor.id ?? actor.type, canShrink: true },
          { title: 'TARGET', value: ({ target }) => target.id },
          { title: 'ORGANIZATION', value: ({ organization_id: id }) => id },
          { title: 'REQUEST', value: ({ request_id: id }) => id },
        ],
        empty: 'No entries.',
      },
    ),
  );
}
