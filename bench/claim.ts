import { Database } from '../packages/server/src/database/index.ts';
import { Capacity } from '../packages/server/src/webhooks/delivering/capacity.ts';
import { claimDueAttempts } from '../packages/server/src/webhooks/delivering/claim-attempts.ts';
import type { DeliveryTools } from '../packages/server/src/webhooks/delivering/delivery-tools.ts';
import { releaseClaims } from '../packages/server/src/webhooks/delivering/release-leases.ts';
import { SigningKeys } from '../packages/server/src/webhooks/delivering/signing-keys.ts';
import { TakenInFlight } from '../packages/server/src/webhooks/delivering/taken-in-flight.ts';
import { createDeliveryTools, INSTANT_SENDER } from './rig/delivering.ts';
import { type Bench, type BenchOptions, type Figure, inRounds, makeFigure, median } from './rig/figure.ts';
import { withDatabases } from './rig/postgres.ts';
import { settle } from './rig/stored-seats.ts';
import { onDatabase, storeBacklog, storeEndpoints, storeOrganizations } from './rig/stored-webhooks.ts';
import { isMet } from './rig/table.ts';
import { TimedQueries } from './rig/timed-queries.ts';

/** As many as one claim serves, so that the empty tables give as much as the full ones. */
const ENDPOINTS_OF_A_CLAIM = 64;
const ENDPOINTS = 1_000;
/** As many as the service asks for at most. */
const PLACES = 256;
const SAMPLES = 50;

/**
 * One claim, whole: turns locked, attempts claimed, turns moved on, secrets read. With very many finished and overdue deliveries
 * stored, against tables with nothing but the attempts that are claimed. What was claimed is handed back between the samples.
 */
export const claim: Bench = {
  name: 'claim',
  measure: (options) =>
    withDatabases(async ({ first, second, dataDir }) => {
      const full = await openSide(first, dataDir);
      const empty = await openSide(second, dataDir);
      try {
        await fill(full, { ...options, endpoints: ENDPOINTS });
        await fill(empty, { finished: 0, overdue: ENDPOINTS_OF_A_CLAIM * 32, endpoints: ENDPOINTS_OF_A_CLAIM });
        const figures: Figure[] = [];
        for (const kind of CLAIMS) {
          figures.push(await measureClaims(options, full, empty, kind));
        }
        return figures;
      } finally {
        await Promise.all([full.database.close(), empty.database.close()]);
      }
    }),
};

/** What is claimed of the endpoints that are put on the lane; all others are on the other one. */
interface Kind {
  name: string;
  isSlow: boolean;
  /** How much one endpoint may have under way. */
  each: number;
  /** Undefined: all of them but the lone one; a claim serves 64 of those. */
  only: readonly string[] | undefined;
  attempts: number;
}

const urlOf = (number: number) => `https://e${number}.localhost/hook`;
/** One that has a backlog of its own. */
const LONE = 'https://lone.localhost/hook';
const EIGHT = Array.from({ length: 8 }, (_, number) => urlOf(number));
const CLAIMS: readonly Kind[] = [
  { name: 'claim of 64, failing endpoints', isSlow: true, each: 1, only: undefined, attempts: 64 },
  { name: 'claim of 256, eight endpoints', isSlow: false, each: 32, only: EIGHT, attempts: 256 },
  { name: 'claim of 32, one endpoint', isSlow: false, each: 32, only: [LONE], attempts: 32 },
];

interface Side {
  url: string;
  database: Database;
  timed: TimedQueries;
  tools: DeliveryTools;
}

async function openSide(url: string, dataDir: string): Promise<Side> {
  const database = new Database(url, { connections: 4, maxWaiting: 100 }, () => undefined);
  const timed = new TimedQueries(database);
  return { url, database, timed, tools: await createDeliveryTools(timed.queries, dataDir, INSTANT_SENDER) };
}

async function fill({ url, tools }: Side, wanted: { endpoints: number; finished: number; overdue: number }) {
  await onDatabase(url, async (client) => {
    const organizations = await storeOrganizations(client, Math.ceil(wanted.endpoints / 10));
    const urls = Array.from({ length: wanted.endpoints }, (_, number) => ({
      organizationId: organizations[number % organizations.length] ?? '',
      url: urlOf(number),
    }));
    await storeBacklog(client, await storeEndpoints(client, tools.masterKey, urls), wanted);
    const lone = [{ organizationId: organizations[0] ?? '', url: LONE }];
    const overdue = wanted.finished === 0 ? 32 : wanted.overdue;
    await storeBacklog(client, await storeEndpoints(client, tools.masterKey, lone), { finished: 0, overdue });
  });
}

async function measureClaims(options: BenchOptions, full: Side, empty: Side, kind: Kind): Promise<Figure> {
  for (const side of [full, empty]) {
    // Those that fail have places of their own. One each is what they get where half of these are taken.
    await onDatabase(side.url, (client) =>
      client.query(PUT_ON_LANES, [kind.each, kind.isSlow, kind.only?.map(hostOf) ?? null, hostOf(LONE)]),
    );
    await settle(side.url);
  }
  const rounds = await inRounds(options, async () => {
    const samples = { ours: [] as number[], limit: [] as number[] };
    full.timed.forget();
    empty.timed.forget();
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      samples.ours.push(await claimOnce(full, kind));
      samples.limit.push(await claimOnce(empty, kind));
    }
    const statements = [...full.timed.medians()].map(([name, ours]): [string, number, number] => [
      name,
      ours,
      empty.timed.medians().get(name) ?? Number.NaN,
    ]);
    return { ours: median(samples.ours), limit: median(samples.limit), statements };
  });
  const statements = rounds.at(-1)?.statements ?? [];
  const about = {
    name: kind.name,
    unit: 'ms',
    limitIs: 'nearly empty tables',
    bar: 2,
    isAtMost: true,
  };
  const { finished, overdue } = options;
  const notes = [
    `stored: ${finished.toLocaleString('en-US')} finished and ${overdue.toLocaleString('en-US')} overdue deliveries of ${ENDPOINTS.toLocaleString('en-US')} endpoints, and as many overdue of one`,
    statements.map(([name, ours, limit]) => `${name} ${ours.toFixed(2)} ms (${limit.toFixed(2)})`).join(', '),
  ];
  const figure = makeFigure({ ...about, notes }, rounds);
  if (!isMet(figure, about.bar)) {
    const [worst] = statements.toSorted(([, a, b], [, c, d]) => c - d - (a - b))[0] ?? [''];
    console.log(`the plan of ${worst}, which lost most:\n${await full.timed.explain(worst)}`);
  }
  return figure;
}

/** Milliseconds of one claim. Afterwards the attempts wait again, and their endpoints at the end of the row. */
async function claimOnce({ tools, timed }: Side, kind: Kind): Promise<number> {
  const capacity = new Capacity();
  const startMs = performance.now();
  const { attempts } = await claimDueAttempts(tools, capacity, kind.isSlow ? 'slow' : 'fast', {
    available: PLACES,
    includesSilent: true,
    taken: new TakenInFlight(),
    signingKeys: new SigningKeys(tools),
  });
  const tookMs = performance.now() - startMs;
  if (attempts.length !== kind.attempts) {
    throw new Error(`${attempts.length} attempts were claimed, not ${kind.attempts}`);
  }
  await releaseClaims(tools, attempts);
  await timed.queries.execute(TO_THE_END, [
    attempts.map((attempt) => attempt.organization_id),
    attempts.map((attempt) => attempt.endpoint_id),
  ]);
  return tookMs;
}

/** The endpoints that are claimed are alone on their lane. */
const PUT_ON_LANES = `update webhook_endpoint_states set in_flight_limit = $1,
  is_cautious = case when destination = any($3::text[]) or $3 is null and destination <> $4 then $2 else not $2 end`;

function hostOf(url: string): string {
  return new URL(url).host;
}

const TO_THE_END = {
  name: 'bench_to_the_end',
  text: `update webhook_endpoint_states set turn_at = clock_timestamp()
    where (organization_id, endpoint_id) in (select * from unnest($1::text[], $2::text[]))`,
};
