import { type Command, Option } from 'commander';
import { findOperatorUrl } from '../../access/find-operator-access.ts';
import { addOperatorOptions, given, type OperatorOptions, wholeNumber } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { withInstallation } from '../../with-installation.ts';
import { parsePolicy } from './parse-policy.ts';
import { printLicense } from './print-license.ts';
import { addTermOptions, FEATURES_OF_ALL, parseExpiry, parseSeats, productName, type TermOptions } from './terms.ts';

interface IssueOptions extends OperatorOptions, TermOptions {
  organization: string;
  product: string;
  seats: number;
  expires?: string | null;
  perpetual?: boolean;
  tier: 'free' | 'pro' | 'enterprise';
  heartbeatInterval?: number;
  sessionTimeout?: number;
}

/** `seathold license issue`: a license for an organization. */
export function addLicenseIssueCommand(license: Command): void {
  addOperatorOptions(
    addTermOptions(
      license
        .command('issue')
        .description('Issue a license to an organization.')
        .requiredOption(
          '--organization <id|email>',
          'the ID of the organization or, on the server, the email address of one of its admins',
        )
        .requiredOption('--product <name>', 'the product that the license is for', productName)
        .requiredOption('--seats <number>', 'the number of seats', parseSeats)
        .option(
          '--expires <time>',
          'when the license expires, in ISO 8601, or never (default: in one year)',
          parseExpiry,
        )
        .addOption(new Option('--perpetual', 'issue a license that never expires').conflicts('expires'))
        .addOption(
          new Option('--tier <tier>', 'the rate-limit tier while the organization has no subscription')
            .choices(['free', 'pro', 'enterprise'])
            .default('pro'),
        )
        .option('--heartbeat-interval <seconds>', 'overrides SEATHOLD_HEARTBEAT_INTERVAL', wholeNumber(1, 86_400))
        .option('--session-timeout <seconds>', 'overrides SEATHOLD_SESSION_TIMEOUT', wholeNumber(1, 604_800)),
    ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold license issue --organization jane@example.com --product studio --seats 5 --feature ai_assistance',
    )
    .action(issue);
}

/** Options that need the API; all others also work while the service is not running. */
function needsApi({ externalId, metadata, policy, ...options }: IssueOptions): boolean {
  return findOperatorUrl(options) !== undefined || [externalId, metadata, policy].some((each) => each !== undefined);
}

function issue(options: IssueOptions): Promise<void> {
  return needsApi(options) ? issueByApi(options) : issueHere(options);
}

function issueByApi(options: IssueOptions): Promise<void> {
  const policy = {
    ...parsePolicy(options.policy ?? {}),
    ...given({ heartbeat_interval: options.heartbeatInterval, session_timeout: options.sessionTimeout }),
  };
  return withOperator(options, async (client) => {
    const issued = await client.operator.issueLicense({
      organization_id: options.organization,
      product: options.product,
      max_seats: options.seats,
      features: Object.fromEntries(options.feature ?? []),
      expires_at: expiryOf(options),
      tier: options.tier,
      policy,
      ...given({ external_id: options.externalId, metadata: options.metadata }),
    });
    printRecord(issued, options);
  });
}

const licenses = () => import('@seathold/server/operator/manage-licenses');

async function issueHere(options: IssueOptions): Promise<void> {
  const features = [...FEATURES_OF_ALL.map((name) => [name, false] as const), ...(options.feature ?? [])];
  await withInstallation(licenses, options.sandbox === true, async (operator, installation) => {
    const { license: issued, isNewProduct } = await operator.operatorIssueLicense(installation, {
      organization: options.organization,
      product: options.product,
      maxSeats: options.seats,
      features: Object.fromEntries(features),
      expiresAt: expiryOf(options),
      tier: options.tier,
      heartbeatIntervalSeconds: options.heartbeatInterval,
      sessionTimeoutSeconds: options.sessionTimeout,
    });
    if (isNewProduct) {
      // Not on standard output: scripts read the license there.
      const product = JSON.stringify(options.product);
      process.stderr.write(
        `Added the product ${product}, because there was none. If it is a typing error, revoke ${issued.id}.\n`,
      );
    }
    printLicense(issued, options);
  });
}

function expiryOf({ expires, perpetual }: IssueOptions): string | null {
  const inAYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString();
  return perpetual === true ? null : expires === undefined ? inAYear() : expires;
}
