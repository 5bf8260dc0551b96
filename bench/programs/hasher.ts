// Checks one password against one Argon2id hash, several at a time, for as many seconds as the argument says, and prints checks
// per second.
import { hash, verify } from '@node-rs/argon2';

const PASSWORD = 'an engine that weaves patterns';
/** As many as keep the core busy while one comes back: what the service does, too. */
const AT_ONCE = 2;

const stored = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: 2 });
const lastsMs = Number(process.argv[2]) * 1000;
let count = 0;
const startMs = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, checkUntilOver));
process.stdout.write(`${(count * 1000) / (performance.now() - startMs)}\n`);

async function checkUntilOver(): Promise<void> {
  while (performance.now() - startMs < lastsMs) {
    await verify(stored, PASSWORD);
    count += 1;
  }
}
