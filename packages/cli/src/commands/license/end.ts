import type { Command } from 'commander';
import { findOperatorUrl } from '../../access/find-operator-access.ts';
import { CommandFailure } from '../../command-failure.ts';
import { addOperatorOptions, given, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { changeLicenseHere } from './change-here.ts';

interface EndOptions extends OperatorOptions {
  reason?: string;
}

type Kind = 'suspend' | 'reinstate' | 'revoke';

const DESCRIPTIONS: Readonly<Record<Kind, string>> = {
  suspend: 'Suspend a license. Acquires and heartbeats are refused until it is reinstated.',
  reinstate: 'Reinstate a suspended license.',
  revoke: 'Revoke a license permanently.',
};

/** `seathold license suspend`, `reinstate` and `revoke`. */
export function addLicenseEndCommands(license: Command): void {
  for (const kind of ['suspend', 'reinstate', 'revoke'] as const) {
    addOperatorOptions(
      license
        .command(kind)
        .description(DESCRIPTIONS[kind])
        .argument('<license_id>', 'the ID of the license, lic_…')
        .option('--reason <text>', REASONS[kind]),
    ).action((id: string, options: EndOptions) => change(kind, id, options));
  }
}

const NEEDED = "why, for the customer's audit log. Required with --url";
const REASONS: Readonly<Record<Kind, string>> = {
  suspend: NEEDED,
  reinstate: "why, for the customer's audit log",
  revoke: NEEDED,
};

function change(kind: Kind, id: string, options: EndOptions): Promise<void> {
  const { reason } = options;
  // Without a reason, the license can be changed even while the service is down.
  if (findOperatorUrl(options) === undefined && reason === undefined) {
    return changeLicenseHere(id, { kind }, options);
  }
  return withOperator(options, async (client) => {
    if (kind === 'reinstate') {
      printRecord(await client.operator.reinstateLicense(id, given({ reason })), options);
    } else if (reason === undefined) {
      throw new CommandFailure('missing_input', `Give a reason: seathold license ${kind} ${id} --reason "…".`);
    } else if (kind === 'suspend') {
      printRecord(await client.operator.suspendLicense(id, { reason }), options);
    } else {
      printRecord(await client.operator.revokeLicense(id, { reason }), options);
    }
  });
}
