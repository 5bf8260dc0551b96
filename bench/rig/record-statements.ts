import { Database, type Queries } from '../../packages/server/src/database/index.ts';
import { createOutbox } from '../../packages/server/src/events/index.ts';
import type { AuthorizedContext, Route } from '../../packages/server/src/http/index.ts';
import { createLicensing } from '../../packages/server/src/licensing/index.ts';
import { keepMasterKey } from '../../packages/server/src/security/index.ts';
import type { Account } from './accounts.ts';
import type { Service } from './service.ts';

/** A statement as the service sent it, with what came back. BEGIN and COMMIT are statements too. */
export interface RecordedStatement {
  text: string;
  values: readonly unknown[];
  rows: readonly unknown[];
}

/** One acquire and one release, as the database saw them. */
export interface RecordedPair {
  statements: readonly RecordedStatement[];
  sessionId: string;
}

/**
 * Runs the service's own use cases on its own database and writes down what they send. A change of the statements
 * changes what is measured with them.
 */
export async function recordPair(
  service: Service,
  account: Account,
  licenseKey: string,
  hardwareId: string,
): Promise<RecordedPair> {
  const database = new Database(service.databaseUrl, { connections: 2, maxWaiting: 10 }, () => undefined);
  try {
    const statements: RecordedStatement[] = [];
    const recorder = record(database, statements);
    const masterKey = await keepMasterKey(undefined, service.dataDir);
    const { routes } = createLicensing({ database: recorder, outbox: createOutbox([]), masterKey, settings: SETTINGS });
    const context = contextOf(account, recorder);
    const acquire = (machine: string) =>
      run(routes, 'acquireSeat', context, { license_key: licenseKey, hardware_id: machine });
    const release = (sessionId: string) => run(routes, 'releaseSeat', context, { session_id: sessionId });
    // The first one also reads the signing keys, which are then kept for a while.
    await release(await acquire(`hw_${'0'.repeat(32)}`));
    statements.length = 0;
    const sessionId = await acquire(hardwareId);
    await release(sessionId);
    return { statements, sessionId };
  } finally {
    await database.close();
  }
}

const SETTINGS = {
  baseUrl: 'https://localhost:8443',
  licenseAudience: 'seathold-client',
  licenseTokenTtlSeconds: 86_400,
  heartbeatIntervalSeconds: 60,
  seatTimeoutSeconds: 180,
};

function contextOf(account: Account, database: Queries): AuthorizedContext {
  return {
    requestId: 'req_bench',
    database,
    clientAddress: '127.0.0.1',
    headers: {},
    whenGone: () => new AbortController().signal,
    principal: {
      userId: account.userId,
      organizationId: account.organizationId,
      role: 'admin',
      tokenKind: 'api',
      tokenSourceId: 'tok_bench',
      scopes: 'all',
      clockOffsetMs: 0,
      tier: 'free',
    },
  };
}

/** Runs a use case as the route would and answers the session that it is about. */
async function run(routes: readonly Route[], operationId: string, context: AuthorizedContext, body: object) {
  const route = routes.find((each) => each.operationId === operationId);
  const page = { limit: 0, sort: '', sortType: 'text' as const, descending: false, after: undefined, filters: {} };
  const answer = await route?.handle(context, { params: {}, query: undefined, rawBody: Buffer.alloc(0), body, page });
  const data = answer !== undefined && 'data' in answer ? answer.data : undefined;
  if (typeof data !== 'object' || data === null || !('session_id' in data)) {
    throw new Error(`${operationId} answered no session`);
  }
  return String(data.session_id);
}

/** The same queries, each written down; a transaction as a whole when it is over, even if others ran alongside it. */
export function record(database: Queries, into: RecordedStatement[]): Queries {
  return {
    inTransaction: database.inTransaction,
    afterCommit: (act) => database.afterCommit(act),
    execute: async (statement, values) => {
      const result = await database.execute(statement, values);
      into.push({ text: statement.text, values, rows: result.rows });
      return result;
    },

    transaction: (body) =>
      database.transaction(async (tx) => {
        const own: RecordedStatement[] = [];
        const result = await body(record(tx, own));
        into.push({ text: 'begin', values: [], rows: [] }, ...own, { text: 'commit', values: [], rows: [] });
        return result;
      }),
  };
}
