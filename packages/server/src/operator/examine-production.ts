import { hasDefaultCatalogue, hasEastAsianFonts } from '../billing/index.ts';
import { type Config, type Environment, InvalidSettings } from '../config/index.ts';
import { isLoopback, readHttpSettings } from '../http/index.ts';
import { examineBackup } from './backup/examine-backup.ts';
import { connectInstallation, requireConfig } from './connect-installation.ts';
import type { Finding } from './finding.ts';

/** Lists settings that are fine for a trial but not for production. Changes nothing; never throws. */
export async function examineProduction(environment: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = requireConfig(environment);
  } catch (error) {
    const detail = error instanceof InvalidSettings || error instanceof Error ? error.message : String(error);
    return [fault('settings', detail)];
  }
  return [
    ...examineAddresses(config),
    ...examineMoney(config),
    ...examineMailSettings(config),
    hasEastAsianFonts()
      ? fine('fonts', 'invoices can have Chinese, Japanese and Korean names')
      : warning(
          'fonts',
          'invoices with Chinese, Japanese or Korean names cannot be rendered: npm install @seathold/fonts-cjk',
        ),
    ...examineExposure(config, environment),
    await examineCatalogue(environment),
    await examineBackup(environment, config),
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
      : fault('addresses', `${addresses.map(({ name }) => name).join(', ')}: localhost, which customers cannot reach`),
    tlsCert !== undefined || trustProxy !== ''
      ? fine('certificate', tlsCert === undefined ? 'provided by a proxy' : 'your own')
      : fault(
          'certificate',
          'issued by the local certificate authority, which clients do not trust: set SEATHOLD_TLS_CERT or SEATHOLD_TRUST_PROXY',
        ),
  ];
}

function examineMoney({ stripeSecretKey, stripePublishableKey, stripeApiBase, seller }: Config): Finding[] {
  const cardForm =
    stripePublishableKey === undefined ? 'without a card form in the dashboard' : 'with a card form in the dashboard';
  return [
    stripeSecretKey === undefined
      ? fault('payments', 'not configured, so nothing can be bought: set SEATHOLD_STRIPE_SECRET_KEY')
      : /^[a-z]+_test_/.test(stripeSecretKey)
        ? fault('payments', 'SEATHOLD_STRIPE_SECRET_KEY is a test key, so no money moves')
        : stripeApiBase === undefined
          ? fine('payments', `Stripe, with a live key, ${cardForm}`)
          : warning('payments', 'SEATHOLD_STRIPE_API_BASE sends them to a URL other than Stripe'),
    seller.name === 'Seathold'
      ? fault('seller', 'invoices name Seathold as the seller: set SEATHOLD_SELLER')
      : seller.address === '' || seller.taxId === ''
        ? warning('seller', 'SEATHOLD_SELLER has no address or tax ID, which many countries require on invoices')
        : fine('seller', seller.name),
  ];
}

function examineMailSettings({ smtpServer, mailFrom }: Config): Finding[] {
  const domain = mailFrom.address.split('@').at(-1) ?? '';
  return [
    smtpServer === undefined
      ? fault('mail', 'emails are written to files, so no one receives them: set SEATHOLD_SMTP_URL')
      : domain === 'localhost'
        ? fault('mail', 'SEATHOLD_MAIL_FROM is a localhost address, so no one can reply')
        : fine('mail', 'sent over SMTP'),
  ];
}

function examineExposure(config: Config, environment: Environment): Finding[] {
  const { production } = readHttpSettings(environment);
  const isLimited = production.ok && production.limits.enforce;
  return [
    examineMetricsAccess(config),
    isLimited
      ? fine('rate limits', 'on')
      : fault('rate limits', 'off, so attackers can guess passwords without limit: set SEATHOLD_RATE_LIMITS to on'),
    config.sandbox
      ? warning(
          'sandbox',
          'on, so anyone who registers can fill its database: if no customers test with it, set SEATHOLD_SANDBOX=off',
        )
      : fine('sandbox', 'off'),
    config.webhookAllowNetworks === ''
      ? fine('webhooks', 'restricted to public addresses')
      : warning('webhooks', 'customers can send requests to the private networks in SEATHOLD_WEBHOOK_ALLOW_NETWORKS'),
  ];
}

/**
 * Without a token, only this machine may read the metrics; but behind a proxy on it, every client appears to be this
 * machine.
 */
function examineMetricsAccess({ metricsToken, metricsHost, host, baseUrl }: Config): Finding {
  if (metricsToken !== undefined) {
    return fine('metrics', 'protected by a token');
  }
  const isBehindProxy = isLoopback(host) && baseUrl !== undefined && !isLoopback(hostOf(baseUrl));
  return isBehindProxy
    ? fault('metrics', 'public through the proxy on this machine: set SEATHOLD_METRICS_TOKEN')
    : isLoopback(metricsHost)
      ? warning('metrics', 'available only from this machine, or not at all, because SEATHOLD_METRICS_TOKEN is not set')
      : fault('metrics', 'public on the worker port: set SEATHOLD_METRICS_TOKEN, or unset SEATHOLD_METRICS_HOST');
}

async function examineCatalogue(environment: Environment): Promise<Finding> {
  try {
    const installation = await connectInstallation(environment, 'production');
    try {
      return (await hasDefaultCatalogue(installation.database))
        ? fault('catalogue', 'still the example plans and prices: apply your own with `seathold catalog apply`')
        : fine('catalogue', 'your own');
    } finally {
      await installation.close();
    }
  } catch (error) {
    return fault('catalogue', error instanceof Error ? error.message : String(error));
  }
}

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
