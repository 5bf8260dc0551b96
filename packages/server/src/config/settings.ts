import { define, optional, optionalSecret, type Setting } from './define-setting.ts';
import { parsers } from './parsers.ts';
import { RETENTION_SETTINGS } from './retention-settings.ts';

/** Every setting that is in effect. To add one, add an entry here: the check, the docs page and the type follow. */
export const SETTINGS = {
  host: define('SEATHOLD_HOST', 'Address to listen on.', 'localhost', parsers.host),
  port: define('SEATHOLD_PORT', 'Port of production, HTTPS.', '8443', parsers.port),
  sandboxPort: define('SEATHOLD_SANDBOX_PORT', 'Port of the sandbox, HTTPS.', '8444', parsers.port),
  sandbox: define(
    'SEATHOLD_SANDBOX',
    'on: serve production and the sandbox, each on its own port; off: serve production only.',
    'on',
    parsers.onOff,
  ),
  processes: define(
    'SEATHOLD_PROCESSES',
    'How many processes answer requests: a number up to 64, or auto for one per core less one. With 1, one process does everything. With more, they share the ports, and the process that starts them does the background work.',
    '1',
    parsers.processes,
  ),
  baseUrl: optional(
    'SEATHOLD_BASE_URL',
    'Public address of production; also the issuer of license tokens. Default: https://localhost and the port.',
    parsers.httpsUrl,
  ),
  sandboxUrl: optional(
    'SEATHOLD_SANDBOX_URL',
    'Public address of the sandbox. Default: https://localhost and the sandbox port.',
    parsers.httpsUrl,
  ),
  authUrl: optional(
    'SEATHOLD_AUTH_URL',
    'Public address of OAuth in production, with a path; the issuer. Default: the public address and /oauth. The sandbox always has the default.',
    parsers.issuerUrl,
  ),
  dataDir: define(
    'SEATHOLD_DATA_DIR',
    'Folder for the embedded database, the local certificate and the master key.',
    './data',
    parsers.text,
  ),
  databaseUrl: optionalSecret(
    'DATABASE_URL',
    'PostgreSQL of production, postgres://user:password@host/database. Without it an embedded one runs in the data folder.',
    parsers.postgresUrl,
  ),
  sandboxDatabaseUrl: optionalSecret(
    'SANDBOX_DATABASE_URL',
    'PostgreSQL of the sandbox; set it together with DATABASE_URL, unless SEATHOLD_SANDBOX is off.',
    parsers.postgresUrl,
  ),
  redisUrl: optionalSecret(
    'REDIS_URL',
    'Redis that shares rate-limit counters among several processes, redis://host:port.',
    parsers.redisUrl,
  ),
  smtpServer: optionalSecret(
    'SEATHOLD_SMTP_URL',
    'SMTP server that mails are handed to, smtp:// or smtps://user:password@host:port. Without it they are written into files in the data folder.',
    parsers.smtpUrl,
  ),
  mailFrom: define(
    'SEATHOLD_MAIL_FROM',
    'Whom mails come from, one address with or without a name.',
    'Seathold <no-reply@localhost>',
    parsers.mailAddress,
  ),
  brand: define(
    'SEATHOLD_BRAND',
    'The product as customers know it, for mails and login pages: a name, or JSON with name, logo_url (https), color (#rrggbb) and support_email.',
    'Seathold',
    parsers.brand,
  ),
  masterKey: optionalSecret(
    'SEATHOLD_MASTER_KEY',
    'The 32-byte key that encrypts secrets, in base64. During a rotation, the new key and the old one, comma-separated. Default: generated on first start and kept in the data folder.',
    parsers.keys,
  ),
  tlsCert: optional(
    'SEATHOLD_TLS_CERT',
    'PEM file of the certificate chain; set it together with SEATHOLD_TLS_KEY. Default: a certificate for localhost from a local CA.',
    parsers.text,
  ),
  tlsKey: optional('SEATHOLD_TLS_KEY', 'PEM file of the private key of the certificate.', parsers.text),
  trustProxy: define(
    'SEATHOLD_TRUST_PROXY',
    'Networks (CIDR, comma-separated) of reverse proxies that may speak plain HTTP and whose X-Forwarded-For and -Proto count.',
    '',
    parsers.anyText,
  ),
  maxConnectionsPerAddress: define(
    'SEATHOLD_MAX_CONNECTIONS_PER_ADDRESS',
    'Most open connections from one client address (IPv6: one /64) to each port; 0 for no limit. The networks of SEATHOLD_TRUST_PROXY are exempt.',
    '1000',
    parsers.connections,
  ),
  allowedOrigins: define(
    'SEATHOLD_ALLOWED_ORIGINS',
    'Origins (comma-separated) whose scripts can call the API with a bearer token. Each OAuth app can also call it from the origins of its redirect URIs, with its own tokens.',
    '',
    parsers.origins,
  ),
  accessTokenTtlSeconds: define(
    'SEATHOLD_ACCESS_TOKEN_TTL',
    'Life of a session access token, in seconds.',
    '3600',
    parsers.seconds(1, 86_400),
  ),
  refreshTokenTtlSeconds: define(
    'SEATHOLD_REFRESH_TOKEN_TTL',
    'Life of a refresh token, in seconds; each use slides it, up to 90 days in all.',
    '2592000',
    parsers.seconds(1, 7_776_000),
  ),
  argon2: define(
    'SEATHOLD_ARGON2',
    'Argon2id parameters of password hashes: memory in KiB, passes, lanes.',
    'm=19456,t=2,p=1',
    parsers.argon2,
  ),
  heartbeatIntervalSeconds: define(
    'SEATHOLD_HEARTBEAT_INTERVAL',
    'How often a client sends a heartbeat, in seconds, unless its license says otherwise.',
    '60',
    parsers.seconds(1, 86_400),
  ),
  seatTimeoutSeconds: define(
    'SEATHOLD_SESSION_TIMEOUT',
    'How long after its last heartbeat a seat is freed, in seconds, unless its license says otherwise.',
    '180',
    parsers.seconds(1, 604_800),
  ),
  licenseTokenTtlSeconds: define(
    'SEATHOLD_LICENSE_TOKEN_TTL',
    'Longest life of a license token, in seconds.',
    '86400',
    parsers.seconds(1, 2_592_000),
  ),
  licenseAudience: define(
    'SEATHOLD_LICENSE_AUDIENCE',
    'The aud claim of license tokens, which clients check.',
    'seathold-client',
    parsers.text,
  ),
  webhookRetryDelaysSeconds: define(
    'SEATHOLD_WEBHOOK_RETRY_DELAYS',
    'Waits before each further attempt of a failed delivery, in seconds: one to ten numbers, comma-separated.',
    '60,300,1800,7200,86400',
    parsers.delays,
  ),
  webhookTimeoutSeconds: define(
    'SEATHOLD_WEBHOOK_TIMEOUT',
    'How long one attempt of a delivery may take in all, in seconds; of that, 5 to connect.',
    '15',
    parsers.seconds(1, 60),
  ),
  webhookAllowNetworks: define(
    'SEATHOLD_WEBHOOK_ALLOW_NETWORKS',
    'Networks (CIDR, comma-separated) that deliveries may go to although they are not public, for example 127.0.0.0/8,::1. A metadata address is opened only by its own name, as a single address.',
    '',
    parsers.anyText,
  ),
  webhookCaFile: optional(
    'SEATHOLD_WEBHOOK_CA_FILE',
    'PEM file of certificate authorities that deliveries trust besides the usual ones.',
    parsers.text,
  ),
  dunningDays: define(
    'SEATHOLD_DUNNING_DAYS',
    'Days between a renewal that could not be charged and its retries, one after the other, comma-separated; after the last the subscription expires. Empty: no retries.',
    '2,5,7,7',
    parsers.dunningDays,
  ),
  maxSubscriptions: define(
    'SEATHOLD_MAX_SUBSCRIPTIONS',
    'Most live subscriptions of one organization in production.',
    '50',
    parsers.count(1, 1_000_000),
  ),
  maxSeats: define(
    'SEATHOLD_MAX_SEATS',
    'Most seats in all live subscriptions of one organization in production.',
    '100000',
    parsers.count(1, 100_000_000),
  ),
  sandboxMaxSubscriptions: define(
    'SEATHOLD_SANDBOX_MAX_SUBSCRIPTIONS',
    'Most live subscriptions of one organization in the sandbox.',
    '20',
    parsers.count(1, 1_000_000),
  ),
  sandboxMaxSeats: define(
    'SEATHOLD_SANDBOX_MAX_SEATS',
    'Most seats in all live subscriptions of one organization in the sandbox.',
    '1000',
    parsers.count(1, 100_000_000),
  ),
  seller: define(
    'SEATHOLD_SELLER',
    'Who sells, as it stands on invoices: a name, or JSON with name, address and tax_id.',
    'Seathold',
    parsers.seller,
  ),
  financeEmail: optional(
    'SEATHOLD_FINANCE_EMAIL',
    'Address for mails about payments that need manual review.',
    parsers.mailAddress,
  ),
  stripeSecretKey: optionalSecret(
    'SEATHOLD_STRIPE_SECRET_KEY',
    'Secret key of the Stripe account that production charges with. Without it nothing can be bought in production.',
    parsers.stripeSecretKey,
  ),
  stripeWebhookSecret: optionalSecret(
    'SEATHOLD_STRIPE_WEBHOOK_SECRET',
    "Signing secret of Stripe's webhook endpoint at /v1/providers/stripe/webhook; set it together with SEATHOLD_STRIPE_SECRET_KEY.",
    parsers.stripeWebhookSecret,
  ),
  stripeApiBase: optional(
    'SEATHOLD_STRIPE_API_BASE',
    'Another address of the Stripe API, http(s)://host:port, for tests. Over http the key can be read on the way.',
    parsers.httpUrl,
  ),
  egressProxy: optionalSecret(
    'SEATHOLD_EGRESS_PROXY',
    'Proxy that deliveries go through by CONNECT, http(s)://user:password@host:port. It resolves the names, so it has to refuse private addresses itself. HTTP_PROXY and its like have no effect.',
    parsers.proxyUrl,
  ),
  ...RETENTION_SETTINGS,
  rateLimits: define(
    'SEATHOLD_RATE_LIMITS',
    'on; off (counts and reports, refuses nothing); or JSON with other numbers.',
    'on',
    parsers.text,
  ),
  metricsToken: optionalSecret(
    'SEATHOLD_METRICS_TOKEN',
    'Bearer token for GET /metrics. Without it, metrics are available only from this machine, and only if the service listens on loopback alone.',
    parsers.metricsToken,
  ),
  metricsPort: define(
    'SEATHOLD_METRICS_PORT',
    'Port on which a worker answers /healthz, /readyz and /metrics, over HTTPS and plain HTTP. Other roles answer them on the API ports.',
    '9464',
    parsers.port,
  ),
  metricsHost: define(
    'SEATHOLD_METRICS_HOST',
    'Address that a worker listens on for health checks and metrics.',
    'localhost',
    parsers.host,
  ),
  drainSeconds: optional(
    'SEATHOLD_DRAIN_SECONDS',
    'How many seconds the service keeps serving after SIGTERM, with /readyz at 503, so that load balancers can stop sending traffic. Default: 5, or 0 in a terminal.',
    parsers.seconds(0, 300),
  ),
  logRequests: define(
    'SEATHOLD_LOG_REQUESTS',
    'Which requests to log: all, or errors (status 400 and above). No requests are logged at a log level above info.',
    'all',
    parsers.loggedRequests,
  ),
  logLevel: define('SEATHOLD_LOG_LEVEL', 'fatal, error, warn, info, debug, trace or silent.', 'info', parsers.logLevel),
} as const;

/** The value of every setting, by its key. */
export type Settings = { [Key in keyof typeof SETTINGS]: (typeof SETTINGS)[Key] extends Setting<infer T> ? T : never };
