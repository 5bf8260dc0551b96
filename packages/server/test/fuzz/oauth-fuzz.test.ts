import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenSeed, portionOf } from '../torture/scale.ts';
import { findOauthFault } from './check-oauth-answer.ts';
import { type ListeningApp, startListeningApp } from './listening-app.ts';
import { createOauthWorld, type OauthWorld, SCENES, type Scene } from './oauth-scenes.ts';
import { Random } from './random.ts';
import { converse, encode, type RawAnswer, RawConnection, type RawRequest } from './raw-connection.ts';
import { goodRequest, spoilRequest } from './spoil-scene.ts';

const COUNT = portionOf(1_500, 50_000);
const SEED = givenSeed ?? Math.floor(Math.random() * 1_000_000_000);
const CONNECTIONS = 4;
const GOOD_EVERY = 4;
/** A challenge ends after five wrong codes. Lasting scenes are renewed occasionally as well. */
const MAX_USES = 4;
const MAX_USES_OF_LASTING = 40;
/** Enough to see a pattern. */
const MOST_FAULTS = 5;
/** A request with an incomplete body is cut off soon. */
const LIMITS = { headersMs: 2_000, requestMs: 1_000 };

let subject: ListeningApp;
let world: OauthWorld;
const names = Object.keys(SCENES);
const scenes = new Map<string, { scene: Scene; uses: number }>();

beforeAll(async () => {
  subject = await startListeningApp({ trustsPlain: true, limits: LIMITS });
  world = await createOauthWorld(subject.test);
  for (const name of names) {
    await renew(name);
  }
});
afterAll(() => subject.close());

it(`the authorization server answers ${COUNT} odd requests correctly (seed ${SEED})`, async () => {
  const succeeded = new Set<string>();
  const faults: string[] = [];
  let next = 0;
  const work = async () => {
    const connection = RawConnection.to(subject.listener.port);
    while (next < COUNT && faults.length < MOST_FAULTS) {
      next += 1;
      await tryScene(connection, next, succeeded, faults);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  expect(faults.join('\n\n')).toBe('');
  expect(subject.test.logLines.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
  // Every flow must complete. Otherwise the spoiled requests were never good.
  expect(names.filter((name) => !succeeded.has(name))).toEqual([]);
});

/** The scenes take turns, and every fourth request of each is good. The choices come from the seed and the number. */
async function tryScene(
  connection: RawConnection,
  number: number,
  succeeded: Set<string>,
  faults: string[],
): Promise<void> {
  const name = names[number % names.length] ?? '';
  const random = new Random(SEED + number * 7_919);
  const current = scenes.get(name);
  if (current === undefined) {
    throw new Error(`there is no scene ${name}`);
  }
  const { scene } = current;
  current.uses += 1;
  const isGood = Math.floor(number / names.length) % GOOD_EVERY === 0;
  const request = isGood ? goodRequest(scene) : spoilRequest(random, scene, world);
  let isSpent = false;
  for (const answer of await send(connection, request, isGood ? 'alone' : random.pick(WAYS), tell)) {
    const fault = findOauthFault([world.server, world.phone, world.foreign], request, answer);
    if (fault !== undefined) {
      tell(fault, `${answer.status} ${JSON.stringify([...answer.headers])}\n${answer.body.slice(0, 2_000)}`);
    } else if (scene.succeeds(answer)) {
      isSpent = scene.lasts !== true;
      succeeded.add(name);
    }
    noteSecrets(answer);
  }
  if (isSpent || current.uses >= (scene.lasts === true ? MAX_USES_OF_LASTING : MAX_USES)) {
    await renew(name);
  }

  function tell(fault: string, answer: string): void {
    const text = encode(request).toString('latin1').slice(0, 2_000);
    faults.push(`${fault} (seed ${SEED}, request ${number}, ${name})\n${text}\n\nanswer:\n${answer}`);
  }
}

/** Mostly alone. Also several in one piece, and with a body that is longer or shorter than declared. */
const WAYS = ['alone', 'alone', 'alone', 'alone', 'alone', 'alone', 'alone', 'pipelined', 'longer', 'shorter'] as const;

async function send(
  connection: RawConnection,
  request: RawRequest,
  way: (typeof WAYS)[number],
  tell: (fault: string, answer: string) => void,
): Promise<RawAnswer[]> {
  const { port } = subject.listener;
  const isHead = request.method === 'HEAD';
  try {
    if (way === 'alone') {
      return [await connection.send(request)];
    }
    if (way === 'pipelined') {
      const answers = await converse(port, Buffer.concat([encode(request), encode(request), LAST]), [isHead, isHead]);
      // The last response belongs to another request.
      return answers.slice(0, 2);
    }
    if (request.body === undefined || request.isChunked) {
      return await converse(port, Buffer.concat([encode(request), Buffer.from('\r\n\r\nGARBAGE\r\n\r\n')]), [isHead]);
    }
    const said = Math.max(0, request.body.length + (way === 'shorter' ? 10 : -10));
    const bytes = Buffer.from(
      encode(request)
        .toString('latin1')
        .replace(/\r\nContent-Length: \d+/, `\r\nContent-Length: ${said}`),
      'latin1',
    );
    return way === 'shorter'
      ? await converse(port, bytes, [isHead], true)
      : await converse(port, Buffer.concat([bytes, Buffer.from('\r\n\r\n<>\r\n\r\n')]), [isHead]);
  } catch (error) {
    connection.close();
    tell(`no answer, ${way}`, String(error));
    return [];
  }
}

/** Closes a connection after requests that leave it open. */
const LAST = Buffer.from('GET /healthz HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n');

async function renew(name: string): Promise<void> {
  const scene = await SCENES[name]?.(world);
  if (scene !== undefined) {
    scenes.set(name, { scene, uses: 0 });
  }
}

/** Secrets in responses are looked for in the log and the database at the end. */
function noteSecrets({ status, headers, body }: RawAnswer): void {
  const { secrets } = world.test.api;
  const code = URL.parse(headers.get('location') ?? '')?.searchParams.get('code');
  secrets.note('the code of a redirect', code ?? '');
  if (status === 200 && body.startsWith('{')) {
    secrets.noteBody(JSON.parse(body));
  }
}
