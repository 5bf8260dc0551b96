import { BACKUP_SETTINGS } from './backup-settings.ts';
import { define, optional, optionalSecret, type Setting } from './define-setting.ts';
import { parsers } from './parsers.ts';
import { RETENTION_SETTINGS } from './retention-settings.ts';

/** All settings. To add one, add an entry here: the check, the docs page and the type follow. */
export const SETTINGS = {
  host: define('SEATHOLD_HOST', 'The address to listen on.', 'localhost', parsers.host),
  port: define('SEATHOLD_PORT', 'The HTTPS port of production.', '8443', parsers.port),
  sandboxPort: define('SEATHOLD_SANDBOX_PORT', 'The HTTPS port of the sandbox.', '8444', parsers.port),
  sandbox: define(
    'SEATHOLD_SANDBOX',
    '`on` serves production and the sandbox, each on its own port. `off` serves production only.',
    'on',
    parsers.onOff,
  ),
  processes: define(
    'SEATHOLD_PROCESSES',
    'How many processes answer requests: a number up to 64, or auto for one less than the number of cores. With 1, one process does everything. With more, they share the ports, and the process that starts them does the background work.',
    '1',
    parsers.processes,
  ),
  baseUrl: optional(
    'SEATHOLD_BASE_URL',
    'The public URL of production, and the issuer of license tokens. Default: https://localhost with the port.',
    parsers.httpsUrl,
  ),
  sandboxUrl: optional(
    'SEATHOLD_SANDBOX_URL',
    'The public URL of the sandbox. Default: https://localhost with the sandbox port.',
    parsers.httpsUrl,
  ),
  authUrl: optional(
    'SEATHOLD_AUTH_URL',
    'The public URL of the OAuth endpoints in production, and the OAuth issuer. It must have a path. Default: SEATHOLD_BASE_URL with /oauth. The sandbox always uses the default.',
    parsers.issuerUrl,
  ),
  dataDir: define(
    'SEATHOLD_DATA_DIR',
    'The folder for the embedded database, the local certificate, and the master key.',
    './data',
    parsers.folder,
  ),
  databaseUrl: optionalSecret(
    'DATABASE_URL',
    'The PostgreSQL database of production: postgres://user:password@host/database. It can name several hosts, separated by commas; the service uses the one that accepts writes. If not set, an embedded PostgreSQL runs in the data folder.',
    parsers.postgresUrl,
  ),
  sandboxDatabaseUrl: optionalSecret(
    'SANDBOX_DATABASE_URL',
    'The PostgreSQL database of the sandbox. Required with DATABASE_URL, unless SEATHOLD_SANDBOX is off.',
    parsers.postgresUrl,
  ),
  preparedStatements: define(
    'SEATHOLD_PREPARED_STATEMENTS',
    'Whether connections keep prepared statements: on or off. Off is slower; PgBouncer in transaction mode needs it before version 1.21, or without max_prepared_statements.',
    'on',
    parsers.onOff,
  ),
  redisUrl: optionalSecret(
    'REDIS_URL',
    'A Redis server that shares rate-limit counters between processes: redis://host:port.',
    parsers.redisUrl,
  ),
  smtpServer: optionalSecret(
    'SEATHOLD_SMTP_URL',
    'The SMTP server that sends emails: smtp:// or smtps://user:password@host:port. If not set, emails are written to files in the data folder.',
    parsers.smtpUrl,
  ),
  mailFrom: define(
    'SEATHOLD_MAIL_FROM',
    'The sender of emails: an address, with or without a name.',
    'Seathold <no-reply@localhost>',
    parsers.mailAddress,
  ),
  brand: define(
    'SEATHOLD_BRAND',
    'Your product as customers know it, for emails and login pages: a name, or JSON with name, logo_url (https), color (#rrggbb), and support_email.',
    'Seathold',
    parsers.brand,
  ),
  masterKey: optionalSecret(
    'SEATHOLD_MASTER_KEY',
    'The 32-byte key that encrypts stored secrets, in base64. During a rotation: the new key and the old key, separated by a comma. Default: a key that is generated on first start and stored in the data folder.',
    parsers.keys,
  ),
  tlsCert: optional(
    'SEATHOLD_TLS_CERT',
    'A PEM file with the certificate chain. Requires SEATHOLD_TLS_KEY. Default: a certificate for localhost from a local certificate authority.',
    parsers.text,
  ),
  tlsKey: optional('SEATHOLD_TLS_KEY', 'A PEM file with the private key of the certificate.', parsers.text),
  trustProxy: define(
    'SEATHOLD_TRUST_PROXY',
    'The networks of your reverse proxies, in CIDR notation, separated by commas. Requests from them can use plain HTTP, and their X-Forwarded-For and X-Forwarded-Proto headers are trusted.',
    '',
    parsers.anyText,
  ),
  maxConnectionsPerAddress: define(
    'SEATHOLD_MAX_CONNECTIONS_PER_ADDRESS',
    'The maximum number of open connections from one client address (for IPv6, one /64 network) to each port. 0 means no limit. The networks in SEATHOLD_TRUST_PROXY are exempt.',
    '1000',
    parsers.connections,
  ),
  allowedOrigins: define(
    'SEATHOLD_ALLOWED_ORIGINS',
    'Web origins, separated by commas, whose scripts can call the API with a bearer token. OAuth apps can also call it from the origins of their redirect URIs, with their own tokens.',
    '',
    parsers.origins,
  ),
  portalAncestors: define(
    'SEATHOLD_PORTAL_ANCESTORS',
    'Web origins, separated by commas, whose pages can show the webhook portal in a frame. Default: none.',
    '',
    parsers.origins,
  ),
  accessTokenTtlSeconds: define(
    'SEATHOLD_ACCESS_TOKEN_TTL',
    'How long the access token of a login is valid, in seconds.',
    '3600',
    parsers.seconds(1, 86_400),
  ),
  refreshTokenTtlSeconds: define(
    'SEATHOLD_REFRESH_TOKEN_TTL',
    'How long a refresh token is valid, in seconds. Each use extends it, up to 90 days in total.',
    '2592000',
    parsers.seconds(1, 7_776_000),
  ),
  argon2: define(
    'SEATHOLD_ARGON2',
    'The Argon2id parameters of password hashes: memory in KiB (m), iterations (t), and parallelism (p).',
    'm=19456,t=2,p=1',
    parsers.argon2,
  ),
  heartbeatIntervalSeconds: define(
    'SEATHOLD_HEARTBEAT_INTERVAL',
    'The number of seconds between heartbeats. A license can override it.',
    '60',
    parsers.seconds(1, 86_400),
  ),
  seatTimeoutSeconds: define(
    'SEATHOLD_SESSION_TIMEOUT',
    'The number of seconds after the last heartbeat until a seat is released. A license can override it.',
    '180',
    parsers.seconds(1, 604_800),
  ),
  licenseTokenTtlSeconds: define(
    'SEATHOLD_LICENSE_TOKEN_TTL',
    'The maximum lifetime of a license token, in seconds.',
    '86400',
    parsers.seconds(1, 2_592_000),
  ),
  licenseAudience: define(
    'SEATHOLD_LICENSE_AUDIENCE',
    'The `aud` claim of license tokens, which clients verify.',
    'seathold-client',
    parsers.text,
  ),
  webhookRetryDelaysSeconds: define(
    'SEATHOLD_WEBHOOK_RETRY_DELAYS',
    'The delay before each retry of a failed delivery, in seconds: one to ten numbers, separated by commas.',
    '60,300,1800,7200,86400',
    parsers.delays,
  ),
  webhookTimeoutSeconds: define(
    'SEATHOLD_WEBHOOK_TIMEOUT',
    'The timeout of one delivery attempt, in seconds, including at most 5 to connect.',
    '15',
    parsers.seconds(1, 60),
  ),
  webhookAllowNetworks: define(
    'SEATHOLD_WEBHOOK_ALLOW_NETWORKS',
    'Private networks that webhooks can be delivered to, in CIDR notation, separated by commas, for example 127.0.0.0/8,::1. To allow the metadata address of a cloud provider, list that single address.',
    '',
    parsers.anyText,
  ),
  webhookCaFile: optional(
    'SEATHOLD_WEBHOOK_CA_FILE',
    'A PEM file with additional certificate authorities to trust when delivering webhooks.',
    parsers.text,
  ),
  dunningDays: define(
    'SEATHOLD_DUNNING_DAYS',
    'The number of days before each retry of a failed renewal payment, separated by commas. After the last retry, the subscription expires. If empty, there are no retries.',
    '2,5,7,7',
    parsers.dunningDays,
  ),
  maxSubscriptions: define(
    'SEATHOLD_MAX_SUBSCRIPTIONS',
    'The maximum number of live subscriptions of an organization in production.',
    '50',
    parsers.count(1, 1_000_000),
  ),
  maxSeats: define(
    'SEATHOLD_MAX_SEATS',
    'The maximum number of seats in all live subscriptions of an organization in production.',
    '100000',
    parsers.count(1, 100_000_000),
  ),
  sandboxMaxSubscriptions: define(
    'SEATHOLD_SANDBOX_MAX_SUBSCRIPTIONS',
    'The maximum number of live subscriptions of an organization in the sandbox.',
    '20',
    parsers.count(1, 1_000_000),
  ),
  sandboxMaxSeats: define(
    'SEATHOLD_SANDBOX_MAX_SEATS',
    'The maximum number of seats in all live subscriptions of an organization in the sandbox.',
    '1000',
    parsers.count(1, 100_000_000),
  ),
  seller: define(
    'SEATHOLD_SELLER',
    'The seller shown on invoices: a name, or JSON with name, address, and tax_id.',
    'Seathold',
    parsers.seller,
  ),
  financeEmail: optional(
    'SEATHOLD_FINANCE_EMAIL',
    'The email address that receives notices about payments that need manual review.',
    parsers.mailAddress,
  ),
  stripeSecretKey: optionalSecret(
    'SEATHOLD_STRIPE_SECRET_KEY',
    'The secret key of the Stripe account that charges customers in production. If not set, nothing can be bought in production.',
    parsers.stripeSecretKey,
  ),
  stripeWebhookSecret: optionalSecret(
    'SEATHOLD_STRIPE_WEBHOOK_SECRET',
    'The signing secret of the Stripe webhook endpoint for /v1/providers/stripe/webhook. Requires SEATHOLD_STRIPE_SECRET_KEY.',
    parsers.stripeWebhookSecret,
  ),
  stripePublishableKey: optional(
    'SEATHOLD_STRIPE_PUBLISHABLE_KEY',
    'The publishable key of the same Stripe account. With it, customers enter cards in the dashboard, on a page that loads Stripe.js. If not set, the dashboard has no card form in production.',
    parsers.stripePublishableKey,
  ),
  stripeApiBase: optional(
    'SEATHOLD_STRIPE_API_BASE',
    'A different URL of the Stripe API, for tests: http(s)://host:port. Plain HTTP exposes the secret key to the network.',
    parsers.httpUrl,
  ),
  egressProxy: optionalSecret(
    'SEATHOLD_EGRESS_PROXY',
    'An HTTP CONNECT proxy for webhook deliveries: http(s)://user:password@host:port. The proxy resolves host names, so it must refuse private addresses itself. HTTP_PROXY and similar variables have no effect.',
    parsers.proxyUrl,
  ),
  ...RETENTION_SETTINGS,
  ...BACKUP_SETTINGS,
  rateLimits: define(
    'SEATHOLD_RATE_LIMITS',
    '`on`; `off`, which counts and reports requests but refuses none; or JSON with other limits.',
    'on',
    parsers.text,
  ),
  metricsToken: optionalSecret(
    'SEATHOLD_METRICS_TOKEN',
    'The bearer token for GET /metrics. If not set, metrics are available only from this machine, and only if the service listens on loopback addresses alone.',
    parsers.metricsToken,
  ),
  metricsPort: define(
    'SEATHOLD_METRICS_PORT',
    'The port on which a worker serves /healthz, /readyz, and /metrics, over HTTPS and plain HTTP. Other roles serve them on the API ports.',
    '9464',
    parsers.port,
  ),
  metricsHost: define(
    'SEATHOLD_METRICS_HOST',
    'The address on which a worker serves health checks and metrics.',
    'localhost',
    parsers.host,
  ),
  drainSeconds: optional(
    'SEATHOLD_DRAIN_SECONDS',
    'How long the service keeps serving after SIGTERM, in seconds, so that load balancers can stop sending traffic. Meanwhile, /readyz answers 503. Default: 5, or 0 in a terminal.',
    parsers.seconds(0, 300),
  ),
  logRequests: define(
    'SEATHOLD_LOG_REQUESTS',
    'Which requests to log: `all`, or `errors` (status 400 and above). At a log level above info, no requests are logged.',
    'all',
    parsers.loggedRequests,
  ),
  requestSample: define(
    'SEATHOLD_REQUEST_SAMPLE',
    'The fraction of successful requests to record for `GET /v1/operator/requests/{request_id}` while a process answers more than 10 in two seconds, from 0 to 1. With fewer, all are recorded, unless this is 0. Errors are always recorded.',
    '0.01',
    parsers.fraction,
  ),
  logLevel: define(
    'SEATHOLD_LOG_LEVEL',
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent`.',
    'info',
    parsers.logLevel,
  ),
} as const;

/** The value of every setting, by its key. */
export type Settings = { [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer T> ? T : never };
