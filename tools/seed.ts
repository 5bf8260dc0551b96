import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Seathold } from '@seathold/client';
import { Agent, fetch } from 'undici';
import { CUSTOMERS, seedCustomer } from './seed/seed-customer.ts';

// Fills a running sandbox with customers, through the API like any other client: `npm run seed`, beside `npm start`.

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: process.env.SEATHOLD_SANDBOX_URL ?? 'https://localhost:8444' },
    ca: { type: 'string', default: 'data/tls/ca.pem' },
    customers: { type: 'string', default: String(CUSTOMERS.length) },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const wanted = Number(values.customers);

if (values.help) {
  console.log(`Usage: npm run seed -- [options]
  --url URL      the sandbox, by default https://localhost:8444
  --ca FILE      the authority of its certificate, by default data/tls/ca.pem
  --customers N  how many to create, by default ${CUSTOMERS.length}
Each run adds new customers and prints how to log in as each of them.`);
} else if (!Number.isSafeInteger(wanted) || wanted < 1 || wanted > 1_000) {
  console.error('Wrong options: --customers is a number from 1 to 1000.');
  process.exitCode = 78;
} else {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

async function main(): Promise<void> {
  const dispatcher = new Agent({ connect: { ca: await readFile(values.ca, 'utf8') } });
  const connect = (token?: string) =>
    new Seathold({
      baseUrl: values.url,
      ...(token === undefined ? {} : { token }),
      fetch: (url, request) => fetch(url, { ...request, dispatcher }),
    });
  try {
    // Addresses are unique, so that a run never meets the customers of the one before.
    const run = randomInt(36 ** 5).toString(36);
    for (let number = 0; number < wanted; number += 1) {
      console.log(await seedCustomer(connect, number, run));
    }
  } finally {
    await dispatcher.close();
  }
}
