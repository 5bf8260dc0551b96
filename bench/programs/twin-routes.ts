// One use case under two addresses of the service's own HTTP layer. One asks for a token: all that lies
// between them is what authentication costs. Its settings come as a JSON argument; it tells its port as one line of
// JSON.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { createAuth } from '../../packages/server/src/auth/index.ts';
import { systemClock } from '../../packages/server/src/clock/index.ts';
import { loadConfig } from '../../packages/server/src/config/index.ts';
import { Database } from '../../packages/server/src/database/index.ts';
import { createOutbox } from '../../packages/server/src/events/index.ts';
import {
  ACCESS,
  clientErrorAnswerer,
  createHttpApp,
  Deadlines,
  defineRoute,
  LeakedTokens,
  listen,
  MemoryLimiter,
  Metrics,
  OriginDirectory,
  parseRateLimits,
  type Route,
  SessionCookies,
} from '../../packages/server/src/http/index.ts';
import { createLogger } from '../../packages/server/src/log/index.ts';
import { Mailer } from '../../packages/server/src/mail/index.ts';
import { CONNECTED_APPS } from '../../packages/server/src/oauth/index.ts';
import { keepMasterKey } from '../../packages/server/src/security/index.ts';
import type { TwinSettings } from '../rig/twin-routes.ts';

// The parent process is gone when the input ends.
process.stdin.on('end', () => process.exit()).resume();

const settings: TwinSettings = JSON.parse(process.argv[2] ?? '');
const { config } = loadConfig({});
const limits = parseRateLimits('off', 1);
if (config === undefined || !limits.ok) {
  throw new Error('the default settings are not valid');
}
const database = new Database(settings.databaseUrl, { connections: 16, maxWaiting: 2_000 }, () => undefined);
const masterKey = await keepMasterKey(undefined, settings.dataDir);
const log = createLogger('warn');
const auth = createAuth({
  database,
  masterKey,
  outbox: createOutbox([]),
  mailer: new Mailer(masterKey),
  config,
  log,
  clock: systemClock,
  baseUrl: 'https://localhost',
  authUrl: 'https://localhost/oauth',
  apiTokenPrefix: 'svc_live_',
  connectedApps: CONNECTED_APPS,
});
const twin = (path: string, access: Route['access']): Route =>
  defineRoute({
    method: 'GET',
    path,
    operationId: path,
    tag: 'Bench',
    summary: 'The same for everyone',
    access,
    status: 200,
    response: Type.Object({ status: Type.String() }),
    errors: {},
    handle: async () => ({ data: { status: 'here' } }),
  });
const NO_APPS = { isOfSomeApp: async () => false, isOfAppOf: async () => false };
const cookies = new SessionCookies('https://api.test', 'svc_scl_');
const gate = {
  tokens: auth.tokens,
  limiter: new MemoryLimiter(),
  limits: limits.limits,
  clock: systemClock,
  trustedProxies: [],
  deadlines: new Deadlines(),
};
const origins = new OriginDirectory([], NO_APPS, systemClock);
const app = createHttpApp({ ...gate, cookies, origins, log, database, masterKey, metrics: new Metrics('bench') }, [
  twin('/public', ACCESS.public),
  twin('/authenticated', ACCESS.readProfile),
]);
await app.ready();
const listener = await listen({
  host: 'localhost',
  port: 0,
  cert: settings.cert,
  key: settings.key,
  handler: (request, response) => app.routing(request as IncomingMessage, response as ServerResponse),
  onPlainHttp: (_request, response) => response.end(),
  onClientError: clientErrorAnswerer({ ...gate, leaks: new LeakedTokens(() => undefined) }),
});
process.stdout.write(`${JSON.stringify({ port: listener.port })}\n`);
