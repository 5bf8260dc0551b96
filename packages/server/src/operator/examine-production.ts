import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasDefaultCatalogue } from '../billing/index.ts';
import { systemClock } from '../clock/index.ts';
import { type Config, type Environment, InvalidSettings } from '../config/index.ts';
import { isLoopback, readHttpSettings } from '../http/index.ts';
import type { Finding } from './finding.ts';
import { openInstallation, readConfig } from './open-installation.ts';

/** Names what is fit for trying the service out, and must not go live. Changes nothing; never throws. */
export async function examineProduction(environment: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    const detail = error instanceof InvalidSettings || error instanceof Error ? error.message : String(error);
    return [fault('settings', detail)];
  }
  return [
    ...examineAddresses(config),
    ...examineMoney(config),
    ...examineMailSettings(config),
    ...examineExposure(config, environment),
    await examineCatalogue(environment),
    await examineBackup(config),
  ];
}

function examineAddresses({ baseUrl, sandboxUrl, authUrl, sandbox, tlsCert, trustProxy }: Config): Finding[] {
  const isUnreachable = (url: string | undefined) => url === undefined || isLoopback(hostOf(url));
  const addresses = [
    { name: 'SEATHOLD_BASE_URL', isBad: isUnreachable(baseUrl) },
    { name: 'SEATHOLD_SANDBOX_URL', isBad: sandbox && isUnreachable(sandboxUrl) },
    { name: 'SEATHOLD_AUTH_URL', isBad: authUrl !== undefined && isUnreachable(authUrl) },
  ].filter(({ isBad }) => isBad);
  return [
    addresses.length === 0
      ? fine('addresses', 'public')
      : fault('addresses', `${addresses.map(({ name }) => name).join(', ')}: localhost, which no customer reaches`),
    tlsCert !== undefined || trustProxy !== ''
      ? fine('certificate', tlsCert === undefined ? 'of a proxy in front' : 'your own')
      : fault(
          'certificate',
          'of the local authority, which no client trusts: set SEATHOLD_TLS_CERT, or SEATHOLD_TRUST_PROXY',
        ),
  ];
}

function examineMoney({ stripeSecretKey, stripeApiBase, seller }: Config): Finding[] {
  return [
    stripeSecretKey === undefined
      ? fault('payments', 'not configured, so nothing can be bought: set SEATHOLD_STRIPE_SECRET_KEY')
      : /^[a-z]+_test_/.test(stripeSecretKey)
        ? fault('payments', 'SEATHOLD_STRIPE_SECRET_KEY is a test key, which moves no money')
        : stripeApiBase === undefined
          ? fine('payments', 'Stripe, with a live key')
          : warning('payments', 'SEATHOLD_STRIPE_API_BASE sends them to another address than that of Stripe'),
    seller.name === 'Seathold'
      ? fault('seller', 'invoices are in the name of Seathold: set SEATHOLD_SELLER')
      : seller.address === '' || seller.taxId === ''
        ? warning('seller', 'without an address or a tax id, which invoices must show in many countries')
        : fine('seller', seller.name),
  ];
}

function examineMailSettings({ smtpServer, mailFrom }: Config): Finding[] {
  const domain = mailFrom.address.split('@').at(-1) ?? '';
  return [
    smtpServer === undefined
      ? fault('mail', 'written to files, so nobody gets any: set SEATHOLD_SMTP_URL')
      : domain === 'localhost'
        ? fault('mail', 'SEATHOLD_MAIL_FROM is an address of localhost, to which nobody can answer')
        : fine('mail', 'sent by SMTP'),
  ];
}

function examineExposure(config: Config, environment: Environment): Finding[] {
  const { production } = readHttpSettings(environment);
  const isLimited = production.ok && production.limits.enforce;
  return [
    examineMetricsAccess(config),
    isLimited
      ? fine('rate limits', 'on')
      : fault('rate limits', 'off, so passwords can be guessed without end: set SEATHOLD_RATE_LIMITS'),
    config.sandbox
      ? warning(
          'sandbox',
          'on: whoever can register may fill its database. Without customers who test, set SEATHOLD_SANDBOX=off',
        )
      : fine('sandbox', 'off'),
    config.webhookAllowNetworks === ''
      ? fine('webhooks', 'go to public addresses alone')
      : warning('webhooks', 'customers can have requests sent into SEATHOLD_WEBHOOK_ALLOW_NETWORKS'),
  ];
}

/** Without a token the metrics are for this machine; through a proxy on it, everybody is this machine. */
function examineMetricsAccess({ metricsToken, metricsHost, host, baseUrl }: Config): Finding {
  if (metricsToken !== undefined) {
    return fine('metrics', 'with a token');
  }
  const isBehindProxy = isLoopback(host) && baseUrl !== undefined && !isLoopback(hostOf(baseUrl));
  return isBehindProxy
    ? fault('metrics', 'in the open for whoever comes through the proxy on this machine: set SEATHOLD_METRICS_TOKEN')
    : isLoopback(metricsHost)
      ? warning('metrics', 'without a token they can be read from this machine alone, or not at all')
      : fault(
          'metrics',
          'the port of workers is in the open: set SEATHOLD_METRICS_TOKEN, or leave SEATHOLD_METRICS_HOST',
        );
}

async function examineCatalogue(environment: Environment): Promise<Finding> {
  try {
    const installation = await openInstallation(environment, 'production');
    try {
      return (await hasDefaultCatalogue(installation.database))
        ? fault('catalogue', 'the plans and prices of the example: apply your own with seathold catalog apply')
        : fine('catalogue', 'your own');
    } finally {
      await installation.close();
    }
  } catch (error) {
    return fault('catalogue', error instanceof Error ? error.message : String(error));
  }
}

/**
 * No process can see whether a backup was made elsewhere, so whoever makes one leaves a mark: the file `last-backup` in the
 * data folder, as new as the backup. An external database may well be backed up without it.
 */
async function examineBackup({ dataDir, databaseUrl }: Config): Promise<Finding> {
  const path = join(dataDir, 'last-backup');
  const mark = await stat(path).catch(() => undefined);
  if (mark === undefined) {
    const advice = `let the backup end with: touch ${path}`;
    return databaseUrl === undefined
      ? fault('backup', `none is known; ${advice}`)
      : warning('backup', `whether the external databases are backed up cannot be seen from here; ${advice}`);
  }
  const hours = Math.floor((systemClock.nowMs() - mark.mtimeMs) / 3_600_000);
  return hours > MOST_HOURS
    ? fault('backup', `the last one was ${hours} hours ago`)
    : fine('backup', `${hours} hours old`);
}

/** A nightly one, and one that failed. */
const MOST_HOURS = 48;

function hostOf(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1');
}

function fine(check: string, detail: string): Finding {
  return { check, ok: true, detail };
}

function warning(check: string, detail: string): Finding {
  return { check, ok: true, isWarning: true, detail };
}

function fault(check: string, detail: string): Finding {
  return { check, ok: false, detail };
}
