import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenSeed, portionOf } from '../torture/scale.ts';
import { type Operation, operationOf, readOperations } from './api-description.ts';
import { findFault } from './check-answer.ts';
import { FuzzWorld } from './fuzz-world.ts';
import { generateRequest } from './generate-requests.ts';
import { type ListeningApp, startListeningApp } from './listening-app.ts';
import { Random } from './random.ts';
import { encode, type RawAnswer, RawConnection, type RawRequest } from './raw-connection.ts';

const COUNT = portionOf(2_000, 100_000);
const SEED = givenSeed ?? Math.floor(Math.random() * 1_000_000_000);
const CONNECTIONS = 4;
const GOOD_EVERY = 4;
/** How many more good requests an operation gets that has not succeeded yet. */
const MOST_GOOD = 20;
/** Enough to see a pattern. */
const MOST_FAULTS = 5;

let subject: ListeningApp;
let world: FuzzWorld;
let operations: Operation[];

beforeAll(async () => {
  subject = await startListeningApp({ trustsPlain: true });
  world = await FuzzWorld.create(subject.test);
  operations = readOperations(subject.test.service.describeApi());
});
afterAll(() => subject.close());

it(`the API answers ${COUNT} odd requests (seed ${SEED}) as openapi.json describes`, async () => {
  const answered = new Map(operations.map((each) => [each.id, new Set<number>()]));
  const faults: string[] = [];
  let next = 0;
  const work = async () => {
    const connection = RawConnection.to(subject.listener.port);
    while (next < COUNT && faults.length < MOST_FAULTS) {
      next += 1;
      const operation = operationAt(next);
      const isGood = Math.floor(next / operations.length) % GOOD_EVERY === 0;
      await tryRequest(connection, { number: next, operation, isGood }, answered, faults);
    }
    connection.close();
  };
  const isReached = ({ id }: Operation) => [...(answered.get(id) ?? [])].some((status) => status < 300);
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  // An operation has few good requests, and chance may pick something for all of them that the service refuses, such as
  // an expired coupon.
  const connection = RawConnection.to(subject.listener.port);
  for (const operation of operations) {
    for (let more = 1; more <= MOST_GOOD && !isReached(operation) && faults.length < MOST_FAULTS; more += 1) {
      next += 1;
      await tryRequest(connection, { number: next, operation, isGood: true }, answered, faults);
    }
  }
  connection.close();
  expect(faults.join('\n\n')).toBe('');
  expect(subject.test.logLines.filter((line) => JSON.parse(line).level === 'error')).toEqual([]);
  // The generator must get inside every operation. Otherwise it proves nothing.
  const unreached = operations.filter((operation) => !isReached(operation));
  expect(unreached.map(({ id }) => [id, answered.get(id)])).toEqual([]);
});

function operationAt(number: number): Operation {
  const operation = operations[number % operations.length];
  if (operation === undefined) {
    throw new Error('there are no operations');
  }
  return operation;
}

interface Try {
  number: number;
  operation: Operation;
  isGood: boolean;
}

/**
 * The operations take turns, and every fourth request of each is left intact. The choices come from the seed and the
 * request's own number, so that each request can be reproduced without the others.
 */
async function tryRequest(
  connection: RawConnection,
  { number, operation, isGood }: Try,
  answered: ReadonlyMap<string, Set<number>>,
  faults: string[],
): Promise<void> {
  const random = new Random(SEED + number * 7_919);
  const request = generateRequest({ random, operation, world, supply: world.supplies.of(operation.id), isGood });
  const tell = (fault: string, answer: string) =>
    faults.push(`${fault} (seed ${SEED}, request ${number})\n${show(request)}\n\nanswer:\n${answer}`);
  let answer: RawAnswer;
  try {
    answer = await connection.send(request);
  } catch (error) {
    connection.close();
    tell('no answer', String(error));
    return;
  }
  const fault = findFault(operations, request, answer);
  if (fault !== undefined) {
    tell(fault, `${answer.status} ${answer.body.slice(0, 2_000)}`);
    return;
  }
  await world.supplies.noteUse(operation.id, answer.status < 300);
  const answering = operationOf(operations, request.method, request.target)?.id;
  if (answering !== undefined) {
    answered.get(answering)?.add(answer.status);
    world.learn(answering, answer);
  }
}

function show(request: RawRequest): string {
  const text = encode(request).toString('latin1');
  return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} bytes)` : text;
}
