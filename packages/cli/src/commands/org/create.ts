import type { Command } from 'commander';
import { addOperatorOptions, given, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { addPair } from '../../parse-pair.ts';

interface CreateOptions extends OperatorOptions {
  name: string;
  adminEmail: string;
  legalName?: string;
  taxId?: string;
  billingEmail?: string;
  notes?: string;
  externalId?: string;
  metadata?: Record<string, string>;
}

/** `seathold org create`: a new customer, whose admin gets an invitation. */
export function addOrgCreateCommand(org: Command): void {
  addOperatorOptions(
    org
      .command('create')
      .description('Create an organization. Its admin gets an invitation by email.')
      .requiredOption('--name <name>', 'the name of the organization')
      .requiredOption('--admin-email <address>', "the admin's email address")
      .option('--legal-name <name>', 'the legal name, for invoices')
      .option('--tax-id <id>', 'the tax ID, for invoices')
      .option('--billing-email <address>', 'where invoices go')
      .option('--notes <text>', 'notes, which the customer does not see')
      .option('--external-id <id>', 'your own ID for the organization')
      .option('--metadata <name=value...>', 'your own data, which the customer does not see', addPair),
  )
    .addHelpText('after', '\nExample:\n  $ seathold org create --name Acme --admin-email grace@acme.example')
    .action(create);
}

function create(options: CreateOptions): Promise<void> {
  const details = given({ legal_name: options.legalName, tax_id: options.taxId, email: options.billingEmail });
  return withOperator(options, async (client) => {
    const created = await client.operator.createOperatedOrganization({
      name: options.name,
      admin_email: options.adminEmail,
      ...(Object.keys(details).length === 0 ? {} : { billing_details: details }),
      ...given({ notes: options.notes, external_id: options.externalId, metadata: options.metadata }),
    });
    printRecord(created, options);
  });
}
