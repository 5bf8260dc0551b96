import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { cacheBriefly, createResolver, type Resolve } from './resolve-names.ts';

/**
 * A name server's answer about a name: addresses, no answer ever, or a code of RFC 1035 (2: failed, 3: no such name).
 */
interface Said {
  a?: string | 'silence' | number;
  aaaa?: string | 'silence' | number;
}

const open: Socket[] = [];

afterEach(() => {
  for (const socket of open.splice(0)) {
    socket.close();
  }
});

async function resolverOver(zone: Readonly<Record<string, Said>>): Promise<{ resolve: Resolve; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4', (query, from) => {
    const { name, type } = readQuestion(query);
    asked.push(`${name} ${type === 28 ? 'AAAA' : 'A'}`);
    const said = (type === 28 ? zone[name]?.aaaa : zone[name]?.a) ?? 3;
    if (said !== 'silence') {
      socket.send(answerTo(query, said), from.port, from.address);
    }
  });
  open.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { resolve: createResolver([`127.0.0.1:${socket.address().port}`]), asked };
}

function readQuestion(query: Buffer): { name: string; type: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) };
}

function answerTo(query: Buffer, said: string | number): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | (typeof said === 'number' ? said : 0), 2);
  head.writeUInt16BE(typeof said === 'number' ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (typeof said === 'number') {
    return head;
  }
  const data = said.includes(':')
    ? Buffer.from(said.split(':').flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]))
    : Buffer.from(said.split('.').map(Number));
  const record = Buffer.from('c00c000000010000000a0000', 'hex');
  record.writeUInt16BE(said.includes(':') ? 28 : 1, 2);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, record, data]);
}

/** Far longer than any name server here takes, however busy the machine is. */
const PATIENT_MS = 600_000;

const IPV6 = '2606:2800:220:1:0:0:0:1';

describe('a name', () => {
  it('has all its addresses, IPv4 first', async () => {
    const { resolve } = await resolverOver({ 'both.test': { a: '93.184.216.34', aaaa: IPV6 } });
    expect(await resolve('both.test', PATIENT_MS)).toEqual(['93.184.216.34', '2606:2800:220:1::1']);
  });

  it('with addresses of one family has those', async () => {
    const { resolve } = await resolverOver({ 'four.test': { a: '93.184.216.34' }, 'six.test': { aaaa: IPV6 } });
    expect(await resolve('four.test', PATIENT_MS)).toEqual(['93.184.216.34']);
    expect(await resolve('six.test', PATIENT_MS)).toEqual(['2606:2800:220:1::1']);
  });

  it('is found even if the name server does not answer for IPv6', async () => {
    const { resolve } = await resolverOver({ 'half.test': { a: '93.184.216.34', aaaa: 'silence' } });
    const order: string[] = [];
    const { resolve: resolveSilent } = await resolverOver({ 'none.test': { a: 'silence', aaaa: 'silence' } });
    const [found] = await Promise.all([
      resolve('half.test', PATIENT_MS).finally(() => order.push('half answered')),
      // Started at the same moment: one that waits until c-ares has given up.
      resolveSilent('none.test', PATIENT_MS).finally(() => order.push('never answered')),
    ]);
    expect(found).toEqual(['93.184.216.34']);
    expect(order).toEqual(['half answered', 'never answered']);
  });

  it('in a zone that does not answer is abandoned within the budget', async () => {
    const { resolve } = await resolverOver({ 'slow.test': { a: 'silence', aaaa: 'silence' } });
    const order: string[] = [];
    const { resolve: resolvePatiently } = await resolverOver({ 'slow.test': { a: 'silence', aaaa: 'silence' } });
    const [found] = await Promise.all([
      resolve('slow.test', 300).finally(() => order.push('by the budget')),
      resolvePatiently('slow.test', PATIENT_MS).finally(() => order.push('by the tries of c-ares')),
    ]);
    expect(found).toEqual([]);
    expect(order).toEqual(['by the budget', 'by the tries of c-ares']);
  });

  it('unknown to the name servers is looked up in the hosts file, but not one that they fail at', async () => {
    const { resolve } = await resolverOver({});
    expect(await resolve('localhost', PATIENT_MS)).toContain('127.0.0.1');
    const failing = await resolverOver({ localhost: { a: 2, aaaa: 2 } });
    expect(await failing.resolve('localhost', PATIENT_MS)).toEqual([]);
  });

  it('is found in the hosts file if no name server can be reached', async () => {
    const closed = createSocket('udp4').bind(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address();
    closed.close();
    expect(await createResolver([`127.0.0.1:${port}`])('localhost', PATIENT_MS)).toContain('127.0.0.1');
  });

  it('that does not exist has no addresses, however many requests ask simultaneously', async () => {
    const { resolve } = await resolverOver({});
    const names = Array.from({ length: 50 }, (_, at) => `no-${at}.invalid`);
    const all = await Promise.all(names.map((name) => resolve(name, 1_000)));
    expect(all.flat()).toEqual([]);
  });

  it('is looked up once for simultaneous requests', async () => {
    const { resolve, asked } = await resolverOver({ 'busy.test': { a: '93.184.216.34', aaaa: IPV6 } });
    await Promise.all(Array.from({ length: 100 }, () => resolve('busy.test', PATIENT_MS)));
    await resolve('busy.test', PATIENT_MS);
    expect(asked.sort()).toEqual(['busy.test A', 'busy.test AAAA']);
  });
});

describe('the cache of names', () => {
  it('keeps no failures, and at most a thousand names', async () => {
    const asked: string[] = [];
    const resolve = cacheBriefly(async (name) => {
      asked.push(name);
      if (name === 'bad') {
        throw new Error('no');
      }
      return name === 'none' ? [] : ['93.184.216.34'];
    });
    for (const name of ['bad', 'bad', 'none', 'none', 'good', 'good']) {
      await resolve(name, 100).catch(() => []);
    }
    expect(asked).toEqual(['bad', 'bad', 'none', 'none', 'good']);
    for (let at = 0; at < 1_000; at += 1) {
      await resolve(`name-${at}`, 100);
    }
    await resolve('good', 100);
    expect(asked.at(-1)).toBe('good');
    await resolve('name-999', 100);
    expect(asked.at(-1)).toBe('good');
  });
});
